// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { randomToken } from "../../../shared/random.ts";
import {
  countStatus,
  createPkce,
  exchangeCode,
  LOOPBACK,
  nativeQuery,
  obtainNativeCode,
  openCallback,
  refusalOf,
  signInNative,
} from "../../support/signin/flows.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

async function sessionStatus(signin: TestSignin, accessToken: string): Promise<number> {
  return (await signin.call("GET", "/auth/me", { bearer: accessToken })).status;
}

describe("a native sign-in", () => {
  it("ends with tokens, and none of them ever stood in a URL", async () => {
    await using signin = await createTestSignin();
    const { verifier, challenge } = await createPkce();
    const begun = await signin.call("GET", `/auth/google/login${nativeQuery(challenge)}`);
    assert.equal(begun.status, 200);
    assert.deepEqual(begun.headers.getSetCookie(), []);
    const { url, state, ...rest } = await begun.json();
    assert.deepEqual(rest, {});
    assert.equal(new URL(url).searchParams.get("state"), state);
    const callback = await openCallback(signin, { url, cookie: "" });
    assert.equal(callback.status, 302);
    const location = callback.headers.get("location") ?? "";
    const query = new URL(location).searchParams;
    assert.deepEqual([...query.keys()], ["code", "state"]);
    assert.ok(location.startsWith(`${LOOPBACK}?`));
    assert.equal(
      callback.headers.getSetCookie().some((cookie) => cookie.includes("_rt=")),
      false,
    );
    const answer = await exchangeCode(signin, { code: query.get("code") ?? "", verifier });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const body = await answer.json();
    assert.deepEqual(Object.keys(body), [
      "access_token",
      "token_type",
      "expires_in",
      "refresh_token",
      "refresh_expires_in",
      "user",
    ]);
    assert.equal(body.token_type, "Bearer");
    assert.equal(body.expires_in, 600);
    assert.equal(body.refresh_expires_in, 30 * 86_400);
    assert.equal(body.user.email, "ada@example.test");
    assert.equal(
      location.includes(body.access_token) || location.includes(body.refresh_token),
      false,
    );
    assert.equal(await sessionStatus(signin, body.access_token), 200);
  });

  it("of several at once spends the code exactly once", async () => {
    await using signin = await createTestSignin({ APP_ENV: "test" });
    const native = await obtainNativeCode(signin);
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => exchangeCode(signin, native)),
    );
    assert.equal(countStatus(answers, 200), 1);
    assert.equal(countStatus(answers, 400), 24);
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 1);
  });

  it("ends the session that it bought when the code is replayed", async () => {
    await using signin = await createTestSignin();
    const native = await obtainNativeCode(signin);
    const { access_token } = await (await exchangeCode(signin, native)).json();
    assert.equal(await sessionStatus(signin, access_token), 200);
    assert.equal(await refusalOf(await exchangeCode(signin, native)), "400 invalid_grant");
    assert.equal(await sessionStatus(signin, access_token), 401);
    const [session] = await signin.rows("SELECT revoke_reason FROM sessions");
    assert.equal(session?.revoke_reason, "replay");
  });

  it("spends the code at a wrong verifier, so that the right one comes too late", async () => {
    await using signin = await createTestSignin();
    const native = await obtainNativeCode(signin);
    const wrong = { ...native, verifier: randomToken(32) };
    assert.equal(await refusalOf(await exchangeCode(signin, wrong)), "400 invalid_grant");
    assert.equal(await refusalOf(await exchangeCode(signin, native)), "400 invalid_grant");
    assert.equal((await signin.rows("SELECT 1 FROM sessions")).length, 0);
  });

  it("is refused in the same words for an unknown, a spent and an expired code and a wrong verifier", async () => {
    await using signin = await createTestSignin();
    const bodies: unknown[] = [];
    const refuse = async (input: { code: string; verifier: string }) => {
      const { request_id, ...body } = await (await exchangeCode(signin, input)).json();
      bodies.push(body);
    };
    const native = await obtainNativeCode(signin);
    await refuse({ code: randomToken(32), verifier: native.verifier });
    await refuse({ code: native.code, verifier: randomToken(32) });
    await refuse(native);
    const late = await obtainNativeCode(signin);
    signin.deps.clock.advance(60_000);
    await refuse(late);
    assert.equal(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
  });

  it("keeps a code good until its sixtieth second", async () => {
    await using signin = await createTestSignin();
    const native = await obtainNativeCode(signin);
    signin.deps.clock.advance(59_000);
    assert.equal((await exchangeCode(signin, native)).status, 200);
  });

  it("keeps only the hash of a code", async () => {
    await using signin = await createTestSignin();
    const { code } = await obtainNativeCode(signin);
    assert.equal(
      JSON.stringify(await signin.rows("SELECT * FROM native_codes")).includes(code),
      false,
    );
  });

  it("cannot use a code of a user who was deleted meanwhile", async () => {
    await using signin = await createTestSignin();
    const native = await obtainNativeCode(signin);
    await signin.rows("DELETE FROM users");
    assert.equal(await refusalOf(await exchangeCode(signin, native)), "400 invalid_grant");
  });

  it("of a second time finds the same account", async () => {
    await using signin = await createTestSignin();
    const first = await signInNative(signin);
    const second = await signInNative(signin);
    assert.equal(second.user.id, first.user.id);
  });
});

describe("POST /auth/native/token", () => {
  const VERIFIER = "v".repeat(43);
  const BODIES: Record<string, unknown> = {
    "an empty object": {},
    "no verifier": { code: "c" },
    "no code": { code_verifier: VERIFIER },
    "an empty code": { code: "", code_verifier: VERIFIER },
    "a number for a code": { code: 1, code_verifier: VERIFIER },
    "an array for a code": { code: ["c"], code_verifier: VERIFIER },
    "an object for a verifier": { code: "c", code_verifier: { length: 43 } },
    null: null,
    "an array": [],
    "a verifier of 42 characters": { code: "c", code_verifier: "v".repeat(42) },
    "a verifier of 129 characters": { code: "c", code_verifier: "v".repeat(129) },
    "a verifier with a plus": { code: "c", code_verifier: `${VERIFIER}+` },
    "a very long code": { code: "c".repeat(5000), code_verifier: VERIFIER },
    "malformed JSON": '{"code":',
    nothing: "",
  };
  for (const [name, body] of Object.entries(BODIES)) {
    it(`refuses ${name} as an invalid request`, async () => {
      await using signin = await createTestSignin();
      const response = await signin.call("POST", "/auth/native/token", { body });
      assert.equal(await refusalOf(response), "400 invalid_request");
    });
  }

  it("does not spend a code on a malformed verifier", async () => {
    await using signin = await createTestSignin();
    const native = await obtainNativeCode(signin);
    await exchangeCode(signin, { ...native, verifier: "short" });
    assert.equal((await exchangeCode(signin, native)).status, 200);
  });

  it("answers 429 with Retry-After after thirty tries of one address in a minute", async () => {
    await using signin = await createTestSignin();
    const body = { code: "unknown", code_verifier: VERIFIER };
    const call = () =>
      signin.call("POST", "/auth/native/token", { body, from: { address: "203.0.113.9" } });
    for (let at = 0; at < 30; at += 1) assert.equal((await call()).status, 400);
    const refused = await call();
    assert.equal(await refusalOf(refused), "429 rate_limited");
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
    signin.deps.clock.advance(60_000);
    assert.equal((await call()).status, 400);
  });
});
