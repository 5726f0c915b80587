import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  type CreateOptions,
  type GetOptions,
  SoftAuthenticator,
} from "../../support/signin/authenticator.ts";
import {
  newVerifier,
  PASSWORD,
  type SigninHarness,
  type Tokens,
} from "../../support/signin/harness.ts";
import type { Answer } from "../../support/signin/user-agent.ts";

const FAR = 4_000_000_000;

/** Who may sign up, on any database: the statement that makes the account decides, however far it is. */
export function signUpRuleTests(harness: () => SigninHarness): void {
  /** Prepares each way in for one address; `enter` takes them all at once and has the outcomes. */
  const openRace = async () => {
    const w = harness();
    const email = `Guest${w.next()}@Elsewhere.test`;
    w.newOidcPerson({ email });
    w.newGithubPerson([{ email, verified: true, primary: true }]);
    const prepare = async () => {
      const agent = w.agent();
      assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
      const body = { email, code: await w.mailbox.codeFor(email), password: PASSWORD };
      const callbacks = [];
      for (const provider of ["google", "github"]) {
        const browser = w.agent();
        const callback = await w.consent(await w.begin(browser, provider));
        const native = await w.beginNative(w.agent(), provider, { verifier: newVerifier() });
        const back = await w.consent(native.url);
        callbacks.push(
          () => browser.get(callback),
          () => w.agent().get(back),
        );
      }
      return [() => agent.post("/auth/signup/complete", body), ...callbacks];
    };
    const count = () => w.count("users", "email_norm = ?", [email.toLowerCase()]);
    const countInvitations = () => w.count("invitations", "email_norm = ?", [email.toLowerCase()]);
    const invite = (expiresAt: number) =>
      w.signin.sql("INSERT INTO invitations VALUES (?, ?) RETURNING email_norm", [
        email.toLowerCase(),
        expiresAt,
      ]);
    return { w, email, prepare, count, countInvitations, invite };
  };
  const enter = async (ways: (() => Promise<Answer>)[]) =>
    (await Promise.all(ways.map((way) => way()))).map(outcomeOf).sort();

  describe("who may sign up", () => {
    it("is decided for each way in: a door that is closed to an address stays closed, also at once", async () => {
      const { prepare, count, countInvitations, invite } = await openRace();
      const closed = ["403 signup_closed", "403 signup_closed", "403 signup_closed"];
      const outcomes = await enter(await prepare());
      assert.deepEqual(outcomes, [...closed, "error=signup_closed", "error=signup_closed"]);
      await invite(1);
      const expired = await enter((await prepare()).slice(1));
      assert.deepEqual(expired, [...closed.slice(1), "error=signup_closed", "error=signup_closed"]);
      assert.deepEqual([await count(), await countInvitations()], [0, 1]);
    });

    it("is an invited address once: one account is made, and once it is deleted no way leads back", async () => {
      const { w, email, prepare, count, countInvitations, invite } = await openRace();
      await invite(FAR);
      const outcomes = await enter(await prepare());
      const lost = /^(409 |error=)account_exists$|^in$/;
      assert.ok(
        outcomes.includes("in") && outcomes.every((each) => lost.test(each)),
        `${outcomes}`,
      );
      assert.deepEqual([await count(), await countInvitations()], [1, 0]);

      await w.signin.sql("DELETE FROM users WHERE email = ? RETURNING id", [email]);
      await w.signin.sql(
        "DELETE FROM identities WHERE user_id NOT IN (SELECT id FROM users) RETURNING user_id",
      );
      const again = await enter((await prepare()).slice(1));
      assert.ok(
        again.every((each) => each.endsWith("signup_closed")),
        `${again}`,
      );
      assert.equal(await count(), 0);
    });

    it("is asked about the address that a code proved for an identity: one account, once, also at once", async () => {
      const { w, email, count, countInvitations, invite } = await openRace();
      const begin = async () => {
        const agent = w.agent();
        const answer = await w.signInByBrowser(agent, "hub");
        assert.equal(answer.location?.hash, "#finish", answer.text);
        assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
        const body = { email, code: await w.mailbox.codeFor(email) };
        const headers = { Origin: w.signin.baseUrl };
        return () => agent.post("/auth/signup/complete", body, { headers });
      };
      const closed = await begin();
      assert.deepEqual(await enter([closed]), ["403 signup_closed"]);
      assert.equal(await count(), 0);
      await invite(FAR);
      await w.signin.sql("DELETE FROM email_codes WHERE email_norm = ? RETURNING id", [
        email.toLowerCase(),
      ]);
      const open = await begin();
      const outcomes = await enter(Array.from({ length: 8 }, () => open));
      const lost = outcomes.filter((each) => each !== "in");
      assert.equal(lost.length, 7);
      assert.ok(
        lost.every((each) => /^400 invalid_(code|state)$/.test(each)),
        lost.join(),
      );
      assert.deepEqual([await count(), await countInvitations()], [1, 0]);
      const stored = await w.count(
        "identities",
        "provider = 'hub' AND user_id IN (SELECT id FROM users WHERE email_norm = ?)",
        [email.toLowerCase()],
      );
      assert.equal(stored, 1);
    });

    it("is no passkey of a deleted account", async () => {
      const w = harness();
      const agent = w.agent();
      const email = `guest${w.next()}@elsewhere.test`;
      await w.signin.sql("INSERT INTO invitations VALUES (?, ?) RETURNING email_norm", [
        email,
        FAR,
      ]);
      const { access_token: bearer } = await w.signUp(agent, email);
      const key = new SoftAuthenticator({ origin: w.signin.baseUrl });
      const options = await agent.ask("/auth/passkeys/options", { method: "POST", bearer });
      const credential = key.create(options.json<CreateOptions>());
      const added = await agent.post("/auth/passkeys", { credential }, { bearer });
      assert.equal(added.status, 200, added.text);
      assert.equal((await agent.ask("/auth/me", { method: "DELETE", bearer })).status, 204);
      const asked = await agent.ask("/auth/passkey/options", { method: "POST" });
      const proof = key.get(asked.json<GetOptions>());
      const refused = await agent.post("/auth/passkey", { credential: proof, native: true });
      assert.deepEqual([refused.status, refused.json().code], [401, "passkey_rejected"]);
      assert.equal(await w.count("users", "email = ?", [email]), 0);
    });

    it("holds for another address of an account, once it is proven", async () => {
      const w = harness();
      const agent = w.agent();
      const { access_token: bearer, user }: Tokens = await w.signUp(agent);
      const email = `guest${w.next()}@elsewhere.test`;
      const asked = await agent.post("/auth/email/code", { email }, { bearer });
      assert.equal(asked.status, 200, asked.text);
      const code = await w.mailbox.codeFor(email);
      const complete = (code: string) =>
        agent.post("/auth/email/complete", { email, code }, { bearer });
      assert.equal((await complete("00000000")).json().code, "invalid_code");
      const refused = await complete(code);
      assert.deepEqual([refused.status, refused.json().code], [403, "signup_closed"]);
      await w.signin.sql("INSERT INTO invitations VALUES (?, ?) RETURNING email_norm", [
        email,
        FAR,
      ]);
      assert.equal((await complete(code)).status, 204);
      assert.equal(await w.count("users", "id = ? AND email = ?", [user.id, email]), 1);
      assert.equal(await w.count("invitations", "email_norm = ?", [email]), 0);
    });
  });
}

/** `in`, or the name of the refusal. */
function outcomeOf(answer: Answer): string {
  if (answer.status === 200) return "in";
  const { location } = answer;
  if (!location) return `${answer.status} ${answer.json().code}`;
  const name = location.searchParams.get("error");
  return name === null ? "in" : `error=${name}`;
}
