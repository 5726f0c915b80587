// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  createPkce,
  keptCookies,
  nativeQuery,
  openCallback,
  readPendingFacts,
  refreshByCookie,
  refusalOf,
  signIn,
} from "../../../support/signin/flows.ts";
import { PLAYED_ENV, TENANT } from "../../../support/signin/played-providers.ts";
import { BASE_URL, UI_URL } from "../../../support/signin/signin.ts";
import {
  createSigninWithUsers,
  PASSWORD,
  type SigninWithUsers,
} from "../../../support/signin/users.ts";

const EMAIL = "ada@example.test";
const TABLES = ["users", "identities", "sessions"];

const create = (env: Record<string, string> = {}) =>
  createSigninWithUsers({ ...PLAYED_ENV, ...env });

/** A first sign-in, up to the page: the cookie that the browser keeps. */
async function begin(signin: SigninWithUsers, provider = "microsoft", person = {}) {
  const response = await openCallback(signin, await beginFlow(signin, provider), person);
  assert.equal(response.status, 302, await response.clone().text());
  assert.equal(response.headers.get("location"), `${BASE_URL}/#finish`);
  const [cookie = "", ...others] = keptCookies(response);
  assert.deepEqual(others, []);
  return cookie;
}

async function mailCode(signin: SigninWithUsers, email = EMAIL) {
  signin.deps.clock.advance(61_000);
  const { body } = await signin.post("/auth/signup/code", { email });
  return { notice: body.notice, code: signin.codeFor(email) };
}

function complete(signin: SigninWithUsers, cookie: string, body: object, origin = BASE_URL) {
  return signin.call("POST", "/auth/signup/complete", { cookie, origin, body });
}

const count = async (signin: SigninWithUsers) =>
  Promise.all(TABLES.map(async (table) => (await signin.rows(`SELECT 1 FROM ${table}`)).length));

describe("an identity whose address proves nothing", () => {
  it("waits in an HTTP-only cookie, and makes an account with a mailed code", async () => {
    await using signin = await create();
    const flow = await beginFlow(signin, "microsoft");
    const response = await openCallback(signin, flow, { name: "Ada" });
    const [, pending = ""] = response.headers.getSetCookie();
    assert.match(
      pending,
      /^__Host-signin_id=v1\.[\w.-]+; Path=\/; Max-Age=600; HttpOnly; Secure; SameSite=Lax$/,
    );
    assert.deepEqual(await count(signin), [0, 0, 0]);
    const cookie = pending.split(";", 1)[0] ?? "";
    assert.deepEqual(await readPendingFacts(signin, cookie), {
      provider: "Microsoft",
      email: EMAIL,
      next: `${UI_URL}?auth=success`,
    });
    const { code } = await mailCode(signin);
    const made = await complete(signin, cookie, { email: EMAIL, code });
    assert.equal(made.status, 200, await made.clone().text());
    const [refresh = "", cleared = "", ...others] = made.headers.getSetCookie();
    assert.deepEqual(others, []);
    assert.match(cleared, /^__Host-signin_id=; Path=\/; Max-Age=0; /);
    const { user, ...tokens } = await made.json();
    assert.deepEqual(Object.keys(tokens).sort(), ["access_token", "expires_in", "token_type"]);
    assert.deepEqual([user.email, user.display_name], [EMAIL, "Ada"]);
    const stored = "SELECT provider, subject, email_at_link FROM identities";
    const subject = `${TENANT}.1001`;
    assert.deepEqual(await signin.rows(stored), [
      { provider: "microsoft", subject, email_at_link: null },
    ]);
    const again = await refreshByCookie(signin, refresh.split(";", 1)[0] ?? "");
    assert.equal(again.user.id, user.id);
    assert.equal((await signIn(signin, { provider: "microsoft" })).user.id, user.id);
    const types = signin.audited.map(({ type }) => type);
    assert.deepEqual(types.slice(0, 4), [
      "signup.code_sent",
      "signup.completed",
      "identity.linked",
      "session.created",
    ]);
  });

  it("is each of a provider that is not believed, and an unverified one of Google and Apple", async () => {
    await using signin = await create();
    for (const provider of ["github", "gitlab", "discord", "acme", "plain"]) {
      await begin(signin, provider, { emailVerified: true });
    }
    for (const provider of ["google", "apple"]) {
      for (const emailVerified of [false, "false", undefined, "yes"]) {
        await begin(signin, provider, { emailVerified });
      }
    }
    assert.deepEqual(await count(signin), [0, 0, 0]);
  });

  it("never touches an account with that address, whatever it does", async () => {
    await using signin = await create();
    const { user } = await signin.signUp(EMAIL);
    const before = await count(signin);
    const dump = () => signin.rows("SELECT * FROM users");
    const users = await dump();
    const cookie = await begin(signin);
    signin.deps.clock.advance(61_000);
    const { body } = await signin.post("/auth/signup/code", { email: EMAIL });
    // The mailbox learns that it has an account, and gets no code.
    assert.match(signin.mails.at(-1)?.subject ?? "", /already have an account/);
    const wrong = await complete(signin, cookie, { email: EMAIL, code: "00000000" });
    assert.equal(await refusalOf(wrong), "400 invalid_code");
    const strangers = await create();
    const other = await begin(strangers);
    const { notice } = await mailCode(strangers);
    assert.equal(body.notice, notice);
    const same = await complete(strangers, other, { email: EMAIL, code: "00000000" });
    assert.equal(await refusalOf(same), "400 invalid_code");
    await strangers[Symbol.asyncDispose]();
    assert.deepEqual([await count(signin), await dump()], [before, users]);
    assert.ok(user.id);
  });

  it("gets no account whose address was taken after the code, and tells its prover alone", async () => {
    await using signin = await create();
    const cookie = await begin(signin);
    const { code } = await mailCode(signin);
    await signin.rows(
      `INSERT INTO users (id, email, email_norm, created_at, updated_at) VALUES ('u', '${EMAIL}', '${EMAIL}', 1, 1)`,
    );
    const refused = await complete(signin, cookie, { email: EMAIL, code });
    assert.equal(await refusalOf(refused), "409 account_exists");
    assert.deepEqual(await count(signin), [1, 0, 0]);
  });

  it("may prove another address than its provider's, which alone is asked about", async () => {
    await using signin = await create({ SIGNUP_ALLOWED_DOMAINS: "own.test" });
    const cookie = await begin(signin, "microsoft", { email: "ada@own.test" });
    const { code } = await mailCode(signin);
    const refused = await complete(signin, cookie, { email: EMAIL, code });
    assert.equal(await refusalOf(refused), "403 signup_closed");
    const own = await mailCode(signin, "bob@own.test");
    const made = await complete(signin, cookie, { email: "bob@own.test", code: own.code });
    assert.equal(made.status, 200);
    assert.deepEqual(await signin.rows("SELECT email FROM users"), [{ email: "bob@own.test" }]);
  });

  it("makes one account, once, also at once, and none after the account is deleted", async () => {
    await using signin = await create();
    const cookie = await begin(signin);
    const { code } = await mailCode(signin);
    const run = () => complete(signin, cookie, { email: EMAIL, code });
    const answers = await Promise.all(Array.from({ length: 10 }, run));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)]);
    assert.deepEqual(await count(signin), [1, 1, 1]);
    for (const table of ["sessions", "identities", "users"]) {
      await signin.rows(`DELETE FROM ${table}`);
    }
    const again = await mailCode(signin);
    const spent = await complete(signin, cookie, { email: EMAIL, code: again.code });
    assert.equal(await refusalOf(spent), "400 invalid_state");
    assert.deepEqual(await count(signin), [0, 0, 0]);
  });

  it("that has an account by another browser meanwhile begins no session there", async () => {
    await using signin = await create();
    const cookies = [await begin(signin), await begin(signin)];
    const codes = [await mailCode(signin), await mailCode(signin, "bob@example.test")];
    const [first, second] = [
      await complete(signin, cookies[0] ?? "", { email: EMAIL, code: codes[0]?.code }),
      await complete(signin, cookies[1] ?? "", { email: "bob@example.test", code: codes[1]?.code }),
    ];
    assert.equal(first.status, 200);
    assert.equal(await refusalOf(second), "400 invalid_state");
    assert.deepEqual(await count(signin), [1, 1, 1]);
  });

  it("ends after ten minutes", async () => {
    await using signin = await create();
    const cookie = await begin(signin);
    signin.deps.clock.advance(540_000);
    const { code } = await mailCode(signin);
    const late = await complete(signin, cookie, { email: EMAIL, code });
    assert.equal(await refusalOf(late), "400 state_expired");
    assert.equal(await readPendingFacts(signin, cookie), undefined);
  });

  for (const [name, change, refusal] of [
    ["no cookie", () => "", "400 invalid_request"],
    ["two of them", (cookie: string) => `${cookie}; ${cookie}`, "400 invalid_request"],
    [
      "a changed one",
      (cookie: string) => cookie.replace(/.(?=.{9}$)/, (letter) => (letter === "A" ? "B" : "A")),
      "400 state_expired",
    ],
    [
      "the cookie of a flow",
      (_: string, flow: string) => `__Host-signin_id=${flow.split("=")[1]}`,
      "400 state_expired",
    ],
  ] as const) {
    it(`needs its browser: ${name} is refused`, async () => {
      await using signin = await create();
      const flow = await beginFlow(signin, "microsoft");
      const cookie = change(await begin(signin), flow.cookie);
      const { code } = await mailCode(signin);
      const refused = await complete(signin, cookie, { email: EMAIL, code });
      assert.equal(await refusalOf(refused), refusal);
      assert.deepEqual(await count(signin), [0, 0, 0]);
    });
  }

  it("is finished by this server's pages alone", async () => {
    await using signin = await create();
    const cookie = await begin(signin);
    const { code } = await mailCode(signin);
    const body = { email: EMAIL, code };
    const foreign = await complete(signin, cookie, body, "https://evil.example");
    assert.equal(await refusalOf(foreign), "403 forbidden_origin");
    const none = await signin.call("POST", "/auth/signup/complete", { cookie, body });
    assert.equal(await refusalOf(none), "403 forbidden_origin");
    assert.equal((await complete(signin, cookie, body, UI_URL)).status, 200);
  });

  it("is no part of a sign-up with a password", async () => {
    await using signin = await create();
    const cookie = await begin(signin);
    const { code } = await mailCode(signin);
    const made = await complete(signin, cookie, { email: EMAIL, code, password: PASSWORD });
    assert.equal(made.status, 200);
    assert.equal(typeof (await made.json()).refresh_token, "string");
    assert.deepEqual(await count(signin), [1, 0, 1]);
  });

  it("of a native client is its client's error", async () => {
    await using signin = await create();
    const { challenge } = await createPkce();
    const begun = await signin.call("GET", `/auth/discord/login${nativeQuery(challenge)}`);
    const back = await openCallback(signin, { ...(await begun.json()), cookie: "" });
    const { searchParams } = new URL(back.headers.get("location") ?? "");
    assert.equal(searchParams.get("error"), "email_unverified");
    assert.deepEqual(keptCookies(back), []);
  });

  it("needs a server that can mail", async () => {
    await using signin = await create({ MAIL_TRANSPORT: "" });
    const response = await openCallback(signin, await beginFlow(signin, "microsoft"));
    assert.equal(await refusalOf(response), "503 mail_unavailable");
  });
});
