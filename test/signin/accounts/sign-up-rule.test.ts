// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { repeats } from "../../support/repeats.ts";
import type { SoftAuthenticator } from "../../support/signin/authenticator.ts";
import {
  beginFlow,
  createPkce,
  keptCookies,
  nativeQuery,
  openCallback,
  refusalOf,
} from "../../support/signin/flows.ts";
import { createPasskeySignin, device, type PasskeySignin } from "../../support/signin/passkeys.ts";
import { PLAYED_ENV } from "../../support/signin/played-providers.ts";
import { BASE_URL } from "../../support/signin/signin.ts";
import { PASSWORD } from "../../support/signin/users.ts";

const EMAIL = "Ann@Example.Test";
const NORM = "ann@example.test";
const NUM_RUNS = repeats({ once: 8, long: 1_000 });

/** Each way in, from the request that comes before the race to the outcome of the last one. */
const WAYS: Record<string, (signin: PasskeySignin) => Promise<() => Promise<string>>> = {
  code: async (signin) => {
    signin.deps.clock.advance(61_000);
    await signin.post("/auth/signup/code", { email: EMAIL });
    // One code serves all that race.
    const code = signin.codeFor(EMAIL);
    return async () => {
      const body = { email: EMAIL, code, password: PASSWORD };
      return outcomeOf(await signin.call("POST", "/auth/signup/complete", { body }));
    };
  },
  google: byBrowser("google"),
  github: byBrowser("github"),
  apple: byBrowser("apple"),
  // A code proves the address of these.
  microsoft: byBrowser("microsoft"),
  gitlab: byBrowser("gitlab"),
  discord: byBrowser("discord"),
  acme: byBrowser("acme"),
  plain: byBrowser("plain"),
  "native google": byProgram("google"),
  "native apple": byProgram("apple"),
  "native github": byProgram("github"),
};

// Beside the specified pair.
const PROVIDERS = {
  ...Object.fromEntries(
    Object.entries(PLAYED_ENV).filter(([name]) => /^PROVIDER_(?!GOOGLE|GITHUB)/.test(name)),
  ),
  PROVIDERS: "microsoft,apple,gitlab,discord,acme,plain",
};

const person = {
  email: EMAIL,
  emailVerified: true,
  emails: [{ email: EMAIL, primary: true, verified: true }],
};

function byBrowser(provider: string) {
  return async (signin: PasskeySignin) => {
    const flow = await beginFlow(signin, provider);
    if (["google", "github", "apple"].includes(provider)) {
      return async () => outcomeOf(await openCallback(signin, flow, person));
    }
    const cookie = keptCookies(await openCallback(signin, flow, person)).join("; ");
    signin.deps.clock.advance(61_000);
    await signin.post("/auth/signup/code", { email: EMAIL });
    const body = { email: EMAIL, code: signin.codeFor(EMAIL) };
    return async () =>
      outcomeOf(
        await signin.call("POST", "/auth/signup/complete", { cookie, origin: BASE_URL, body }),
      );
  };
}

function byProgram(provider: string) {
  return async (signin: PasskeySignin) => {
    const { challenge } = await createPkce();
    const begun = await signin.call("GET", `/auth/${provider}/login${nativeQuery(challenge)}`);
    const { url } = await begun.json();
    return async () => outcomeOf(await openCallback(signin, { url, cookie: "" }, person));
  };
}

/** `in`, or the name of the refusal. */
async function outcomeOf(response: Response): Promise<string> {
  if (response.status === 200) return "in";
  if (response.status !== 302) return refusalOf(response);
  const { searchParams } = new URL(response.headers.get("location") ?? "");
  const name = searchParams.get("error");
  return name === null ? "in" : `error=${name}`;
}

const isClosed = (outcome: string) => /^(403 |error=)signup_closed$/.test(outcome);
/** What those get that lose a race for one address. */
const isLost = (outcome: string) =>
  /^(409 |error=)account_exists$|^400 invalid_(code|state)$/.test(outcome);

function invite({ db, deps }: PasskeySignin, seconds: number) {
  const expiresAt = Math.floor(deps.clock.now() / 1000) + seconds;
  return db.$client.execute(`INSERT INTO invitations VALUES ('${NORM}', ${expiresAt})
    ON CONFLICT DO UPDATE SET expires_at = excluded.expires_at`);
}

interface Door {
  SIGNUP: string;
  SIGNUP_ALLOWED_DOMAINS?: string;
  invited: "yes" | "no" | "expired";
}

const DOOR = fc.record({
  SIGNUP: fc.constantFrom("open", "invited", "closed"),
  SIGNUP_ALLOWED_DOMAINS: fc.constantFrom("", "EXAMPLE.test", "other.test, sub.example.test"),
  invited: fc.constantFrom("yes", "no", "expired"),
});

/** The rule in the words of the documentation. */
function isAdmitted({ SIGNUP, SIGNUP_ALLOWED_DOMAINS: domains, invited }: Door): boolean {
  if (SIGNUP === "closed") return false;
  const hasDomain = domains === "" || domains === "EXAMPLE.test";
  return (SIGNUP === "open" && hasDomain) || invited === "yes";
}

describe("who may sign up", () => {
  it("is the same by every way in, also at once; one account is made, and its invitation is gone", async () => {
    const ways = fc.array(fc.constantFrom(...Object.keys(WAYS)), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(DOOR, ways, async (door, names) => {
        const { invited, ...variables } = door;
        await using signin = await createPasskeySignin({ ...PROVIDERS, ...variables });
        const ready: ((() => Promise<string>) | undefined)[] = [];
        for (const name of names) ready.push(await WAYS[name]?.(signin));
        if (invited !== "no") await invite(signin, invited === "yes" ? 60 : 0);
        const enter = () => Promise.all(ready.map((run) => run?.() ?? ""));
        const outcomes = await enter();
        const users = await signin.rows("SELECT id FROM users");
        const left = await signin.rows("SELECT * FROM invitations");
        if (!isAdmitted(door)) {
          assert.ok(outcomes.some(isClosed), outcomes.join());
          // A code that another request used proves nothing.
          assert.ok(
            outcomes.every((each) => isClosed(each) || each === "400 invalid_code"),
            outcomes.join(),
          );
          assert.deepEqual(users, []);
          for (const table of ["identities", "sessions", "native_codes"]) {
            assert.deepEqual(await signin.rows(`SELECT * FROM ${table}`), [], table);
          }
          assert.equal(left.length, invited === "no" ? 0 : 1);
          return;
        }
        assert.ok(outcomes.includes("in"), outcomes.join());
        assert.ok(
          outcomes.every((each) => each === "in" || isLost(each)),
          outcomes.join(),
        );
        assert.equal(users.length, 1);
        assert.deepEqual(left, []);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it("is asked again once an account is deleted: neither its passkey, nor its provider, nor its code is a way back", async () => {
    await using signin = await createPasskeySignin({ ...PROVIDERS, SIGNUP: "invited" });
    await invite(signin, 3_600);
    const { access_token: bearer } = await signin.signUp(EMAIL);
    const key: SoftAuthenticator = device();
    assert.equal((await signin.register(bearer, key)).status, 200);
    assert.equal((await signin.ask("DELETE", "/auth/me", { bearer })).status, 204);
    const refused = await signin.signIn(key);
    assert.deepEqual([refused.status, refused.body.code], [401, "passkey_rejected"]);
    for (const [name, begin] of Object.entries(WAYS)) {
      assert.ok(isClosed(await (await begin(signin))()), name);
    }
    assert.deepEqual(await signin.rows("SELECT id FROM users"), []);
  });

  it("cannot be seen before the address is proven: each response is the same for each address", async () => {
    const REQUESTS = [
      ["/auth/signup/code", {}],
      ["/auth/signup/complete", { code: "00000000", password: PASSWORD }],
    ] as const;
    for (const SIGNUP of ["invited", "closed", "open"]) {
      const statements: string[][] = [];
      await using signin = await createPasskeySignin({
        SIGNUP,
        SIGNUP_ALLOWED_DOMAINS: "other.test",
      });
      await invite(signin, 3_600);
      const { $client: client } = signin.db;
      const batch = client.batch.bind(client);
      client.batch = (asked, ...rest) => {
        statements.at(-1)?.push(JSON.stringify(asked.map((each) => Object(each).sql)));
        return batch(asked, ...rest);
      };
      for (const [path, body] of REQUESTS) {
        const seen = [];
        for (const email of [NORM, "bob@example.test", "cleo@other.test"]) {
          statements.push([]);
          const { status, headers, body: shown } = await signin.post(path, { email, ...body });
          const { request_id: _id, ...rest } = shown;
          seen.push({ status, type: headers.get("content-type"), rest });
        }
        assert.deepEqual(seen[1], seen[0], path);
        assert.deepEqual(seen[2], seen[0], path);
        const [first, ...others] = statements.splice(0);
        for (const each of others) assert.deepEqual(each, first, path);
      }
    }
  });

  it("is asked about an unverified address by no provider: it is refused before", async () => {
    await using signin = await createPasskeySignin({ SIGNUP: "closed" });
    const flow = await beginFlow(signin);
    const unproven = await openCallback(signin, flow, { email: EMAIL, emailVerified: false });
    assert.equal(await refusalOf(unproven), "403 email_unverified");
  });

  it("leaves an account that is there alone: it signs in under a closed door", async () => {
    await using open = await createPasskeySignin();
    await (await WAYS.google?.(open))?.();
    await using closed = await createPasskeySignin(
      { SIGNUP: "closed" },
      { openDb: () => ({ db: open.db, close: () => {} }) },
    );
    assert.equal(await (await WAYS.google?.(closed))?.(), "in");
    assert.equal((await open.rows("SELECT id FROM users")).length, 1);
  });
});

describe("another address of an account", () => {
  for (const [SIGNUP, SIGNUP_ALLOWED_DOMAINS, invited, status] of [
    ["open", "", false, 204],
    ["open", "example.test", false, 204],
    ["open", "other.test", false, 403],
    ["open", "other.test", true, 204],
    ["invited", "other.test", false, 204],
    ["closed", "other.test", false, 204],
  ] as const) {
    it(`of ${NORM} is ${status} under ${SIGNUP} with "${SIGNUP_ALLOWED_DOMAINS}", ${invited ? "" : "not "}invited`, async () => {
      await using open = await createPasskeySignin();
      const { access_token: bearer } = await open.signUp("old@other.test");
      const overrides = {
        openDb: () => ({ db: open.db, close: () => {} }),
      };
      await using signin = await createPasskeySignin({ SIGNUP, SIGNUP_ALLOWED_DOMAINS }, overrides);
      if (invited) await invite(open, 3_600);
      const asked = await signin.post("/auth/email/code", { email: EMAIL }, { bearer });
      assert.equal(asked.status, 200);
      const code = signin.codeFor(EMAIL);
      const complete = (code: string) =>
        signin.post("/auth/email/complete", { email: EMAIL, code }, { bearer });
      const wrong = await complete("00000000");
      assert.deepEqual([wrong.status, wrong.body.code], [400, "invalid_code"]);
      const answer = await complete(code);
      assert.equal(answer.status, status, JSON.stringify(answer.body));
      if (status === 403) assert.equal(answer.body.code, "signup_closed");
      const email = status === 403 ? "old@other.test" : EMAIL;
      assert.deepEqual(await open.rows("SELECT email FROM users"), [{ email }]);
      assert.deepEqual(await open.rows("SELECT * FROM invitations"), []);
    });
  }
});
