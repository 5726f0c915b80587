import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { requireGoodPassword } from "../../../signin/passwords/check-password.ts";
import { COMMON_PASSWORD_HASHES } from "../../../signin/passwords/common-passwords.generated.ts";
import { isCommonPassword } from "../../../signin/passwords/rules.ts";

const GOOD = [
  "ten chars!",
  "0123 45678",
  "correct horse battery staple",
  "пароль-не-из-списка",
  "🔑".repeat(10),
  "with  inner   spaces",
  "x".repeat(256),
  "🔑".repeat(256),
  `tab\tinside it`,
];

const BAD: [string, RegExp][] = [
  ["", /at least 10/],
  ["nine char", /at least 10/],
  ["🔑".repeat(9), /at least 10/],
  ["x".repeat(257), /at most 256/],
  ["🔑".repeat(257), /at most 256/],
  [" leading space", /white space/],
  ["trailing space ", /white space/],
  ["trailing line\n", /white space/],
  ["\u00a0no-break space", /white space/],
  ["ideographic space\u3000", /white space/],
  [`half a pair ${"\ud800"}`, /valid text/],
  ["password123", /most common/],
  ["PASSWORD123", /most common/],
  ["1234567890", /most common/],
  ["qwertyuiop", /most common/],
  ["q1w2e3r4t5", /most common/],
  ["football2026", /most common/],
  ["dragondragon", /most common/],
];

/** What the owner reads; undefined where the password is taken. */
function findFault(password: string): Promise<string | undefined> {
  return requireGoodPassword(password).then(
    () => undefined,
    ({ message }: Error) => message,
  );
}

describe("a new password", () => {
  for (const password of GOOD) {
    it(`may be ${JSON.stringify(password.slice(0, 40))}`, async () => {
      assert.equal(await findFault(password), undefined);
    });
  }
  for (const [password, reason] of BAD) {
    it(`may not be ${JSON.stringify(password.slice(0, 40))}, and the owner learns why`, async () => {
      const fault = await findFault(password);
      assert.match(fault ?? "", reason);
      if (password.length > 3) assert.ok(!fault?.includes(password));
    });
  }
});

describe("the list of common passwords", () => {
  it("knows what is tried first, and not what merely looks like it", async () => {
    for (const common of [
      "1q2w3e4r5t",
      "basketball",
      "password1234",
      "iloveyou123",
      "Administrator1",
    ]) {
      assert.equal(await isCommonPassword(common, COMMON_PASSWORD_HASHES), true, common);
    }
    for (const rare of [
      "basketballs and hoops",
      "password1234567 but longer",
      "tr0ub4dor&3 again",
    ]) {
      assert.equal(await isCommonPassword(rare, COMMON_PASSWORD_HASHES), false, rare);
    }
  });
});
