import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isLongRun } from "../../support/repeats.ts";
import {
  ALGORITHM_NAMES,
  type AlgorithmName,
  type CreateOptions,
  type GetOptions,
  type Mutation,
  SoftAuthenticator,
} from "../../support/signin/authenticator.ts";
import type { SigninHarness, Tokens } from "../../support/signin/harness.ts";
import { listDishonestSignIns } from "../../support/signin/mutations.ts";
import { listDishonestRegistrations } from "../../support/signin/registration-mutations.ts";
import { type Answer, assertRefused, type UserAgent } from "../../support/signin/user-agent.ts";

const AT_ONCE = 50;

/** The first of each rule; all of them run in test/signin/passkeys, and here in a long run. */
function sample<Case extends { rule: string; what: string }>(cases: Case[]): Case[] {
  const own = cases.filter(({ rule, what }) => rule !== "origin" || what === "of a foreign origin");
  return isLongRun
    ? own
    : Map.groupBy(own, ({ rule }) => rule)
        .values()
        .flatMap((of) => of.slice(0, 1))
        .toArray();
}

/** Passkeys over real sockets, with an authenticator in software. */
export function passkeyTests(harness: () => SigninHarness): void {
  const device = (algorithm: AlgorithmName = "ES256", isSynced = true) =>
    new SoftAuthenticator({ algorithm, origin: harness().signin.baseUrl, isSynced });

  const register = async (bearer: string, key: SoftAuthenticator, mutation?: Mutation) => {
    const agent = harness().agent();
    const options = await agent.ask("/auth/passkeys/options", { method: "POST", bearer });
    assert.equal(options.status, 200, options.text);
    const credential = key.create(options.json<CreateOptions>(), mutation);
    return agent.post("/auth/passkeys", { credential, label: "Key" }, { bearer });
  };

  const begin = async (agent: UserAgent): Promise<GetOptions> => {
    const answer = await agent.ask("/auth/passkey/options", { method: "POST" });
    assert.equal(answer.status, 200, answer.text);
    return answer.json<GetOptions>();
  };

  const finish = (agent: UserAgent, credential: unknown, more: object = {}) =>
    agent.post(
      "/auth/passkey",
      { credential, ...more },
      { headers: { Origin: harness().signin.baseUrl } },
    );

  const signIn = async (key: SoftAuthenticator, mutation?: Mutation, agent = harness().agent()) =>
    finish(agent, key.get(await begin(agent), mutation));

  const openWithPasskey = async (algorithm?: AlgorithmName) => {
    const { access_token: bearer, user } = await harness().openNativeSession();
    const key = device(algorithm);
    const added = await register(bearer, key);
    assert.equal(added.status, 200, added.text);
    return { bearer, user, key, id: added.json<{ id: string }>().id };
  };

  const winners = (answers: Answer[]) => {
    for (const { status, text } of answers) assert.equal(status < 500, true, `${status} ${text}`);
    return answers.filter(({ status }) => status < 400).length;
  };

  describe("passkeys", () => {
    for (const algorithm of ALGORITHM_NAMES) {
      it(`K1 signs in with a key of ${algorithm}: a session by cookie, and tokens for a native client`, async () => {
        const w = harness();
        const { user, key } = await openWithPasskey(algorithm);
        const agent = w.agent();
        const answer = await signIn(key, {}, agent);
        assert.equal(answer.status, 200, answer.text);
        const { refresh_token, ...tokens } = answer.json<Tokens>();
        assert.equal(refresh_token, undefined);
        assert.equal(tokens.user.id, user.id);
        assert.equal((await w.refreshByCookie(agent)).user.id, user.id);
        const native = w.agent();
        const credential = key.get(await begin(native));
        const got = await finish(native, credential, { native: true });
        assert.equal(got.status, 200, got.text);
        assert.deepEqual(got.headers.getSetCookie(), []);
        const fresh = got.json<Tokens>();
        assert.equal((await w.refresh(fresh.refresh_token)).status, 200);
        const failed = await signIn(key, { signature: (bytes) => bytes.subarray(1) });
        assertRefused(failed, 401, "passkey_rejected");
      });
    }

    it("K2 lists, renames and removes passkeys, but not the last way to sign in", async () => {
      const { bearer, id, key } = await openWithPasskey();
      const agent = harness().agent();
      const path = `/auth/passkeys/${id}`;
      const renamed = await agent.ask(path, { method: "PATCH", json: { label: "Blue" }, bearer });
      assert.equal(renamed.status, 200, renamed.text);
      const { passkeys } = (await agent.get("/auth/passkeys", { bearer })).json<{
        passkeys: Record<string, unknown>[];
      }>();
      assert.deepEqual(passkeys, [renamed.json()]);
      assert.equal(passkeys[0]?.label, "Blue");
      const disconnected = await agent.ask("/auth/google/disconnect", { method: "DELETE", bearer });
      assert.equal(disconnected.status, 204, disconnected.text);
      assertRefused(
        await agent.ask(path, { method: "DELETE", bearer }),
        409,
        "last_sign_in_method",
      );
      assert.equal((await register(bearer, device())).status, 200);
      assert.equal((await agent.ask(path, { method: "DELETE", bearer })).status, 204);
      assertRefused(await signIn(key), 401, "passkey_rejected");
      const { events } = (await agent.get("/auth/events", { bearer })).json<{
        events: { type: string }[];
      }>();
      const types = events.map(({ type }) => type);
      for (const type of ["passkey.added", "passkey.removed"])
        assert.ok(types.includes(type), type);
    });

    it("K3 refuses registrations that are not what was asked for, and adds nothing", async () => {
      const w = harness();
      const before = await w.count("passkeys");
      let bearer = "";
      for (const [at, { what, rule, mutation }] of sample(listDishonestRegistrations()).entries()) {
        // The limit is 120 requests a minute for a user.
        if (at % 50 === 0) bearer = (await w.openNativeSession()).access_token;
        const answer = await register(bearer, device(), mutation);
        assertRefused(answer, 400, "passkey_refused");
        const { details = "" } = answer.json<{ details?: string }>();
        assert.equal(details.split(":")[0], rule, `${what}: ${details}`);
      }
      assert.equal(await w.count("passkeys"), before);
    });

    it("K4 refuses sign-ins that are not what was asked for, and begins nothing", async () => {
      const w = harness();
      const { user, key } = await openWithPasskey("EdDSA");
      const sessions = await w.count("sessions", "user_id = ?", [user.id]);
      for (const { what, mutation } of sample(listDishonestSignIns("AAAA"))) {
        const answer = await signIn(key, mutation);
        assert.equal(answer.status, 401, `${what}: ${answer.text}`);
        assertRefused(answer, 401, "passkey_rejected");
      }
      assert.equal(await w.count("sessions", "user_id = ?", [user.id]), sessions);
    });

    it("K5 binds a challenge to its browser, takes it once, and asks for an allowed origin", async () => {
      const { key } = await openWithPasskey();
      const [agent, other] = [harness().agent(), harness().agent()];
      const options = await begin(agent);
      await begin(other);
      const credential = key.get(options);
      assertRefused(await finish(other, credential), 401, "passkey_rejected");
      assertRefused(await finish(harness().agent(), credential), 401, "passkey_rejected");
      assertRefused(await agent.post("/auth/passkey", { credential }), 403, "forbidden_origin");
      const cookie = agent.cookieHeader("/auth/passkey");
      assert.equal((await finish(agent, credential)).status, 200);
      const replay = await harness()
        .agent()
        .post(
          "/auth/passkey",
          { credential },
          { headers: { Origin: harness().signin.baseUrl, Cookie: cookie } },
        );
      assertRefused(replay, 401, "passkey_rejected");
    });

    it("K6 refuses a counter that falls back, and tells the owner", async () => {
      const { bearer, key } = await openWithPasskey();
      for (const [counter, status] of [
        [4, 200],
        [5, 200],
        [5, 401],
        [4, 401],
        [0, 401],
        [6, 200],
      ] as const) {
        assert.equal((await signIn(key, { counter })).status, status, String(counter));
      }
      const events = await harness().agent().get("/auth/events", { bearer });
      assert.match(events.text, /"type":"passkey.counter","outcome":"failure"/);
    });

    it(`K7 ${AT_ONCE} sign-ins with one challenge: one begins a session`, async () => {
      const w = harness();
      const { user, key } = await openWithPasskey();
      const agent = w.agent();
      const credential = key.get(await begin(agent));
      const headers = { Origin: w.signin.baseUrl, Cookie: agent.cookieHeader("/auth/passkey") };
      const before = await w.count("sessions", "user_id = ?", [user.id]);
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          w.agent().post("/auth/passkey", { credential }, { headers }),
        ),
      );
      assert.equal(winners(answers), 1);
      assert.equal(await w.count("sessions", "user_id = ?", [user.id]), before + 1);
    });

    it(`K8 ${AT_ONCE} registrations with one challenge: one passkey`, async () => {
      const w = harness();
      const { access_token: bearer, user } = await w.openNativeSession();
      const options = await w.agent().ask("/auth/passkeys/options", { method: "POST", bearer });
      const given = options.json<CreateOptions>();
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () =>
          w.agent().post("/auth/passkeys", { credential: device().create(given) }, { bearer }),
        ),
      );
      assert.equal(winners(answers), 1);
      assert.equal(await w.count("passkeys", "user_id = ?", [user.id]), 1);
    });

    it("K9 25 sign-ins with one counter, each with its own challenge: one begins a session", async () => {
      const { key } = await openWithPasskey();
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => signIn(key, { counter: 9 })),
      );
      assert.equal(winners(answers), 1);
    });

    it("K10 the last two ways removed at once, in any mixture: one stays", async () => {
      const w = harness();
      const { bearer, user, id } = await openWithPasskey();
      const paths = [`/auth/passkeys/${id}`, "/auth/google/disconnect"];
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          w.agent().ask(paths[at % 2] ?? "", { method: "DELETE", bearer }),
        ),
      );
      assert.equal(winners(answers), 1);
      const left = await Promise.all(
        ["passkeys", "identities"].map((table) => w.count(table, "user_id = ?", [user.id])),
      );
      assert.equal(left[0]! + left[1]!, 1);
    });

    it("K11 30 registrations at once: an account has at most twenty passkeys", async () => {
      const w = harness();
      const { access_token: bearer, user } = await w.openNativeSession();
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => register(bearer, device("EdDSA"))),
      );
      assert.equal(winners(answers), 20);
      assertRefused(answers.find(({ status }) => status >= 400)!, 409, "too_many_passkeys");
      assert.equal(await w.count("passkeys", "user_id = ?", [user.id]), 20);
    });
  });
}
