// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cleanUp } from "../../../signin/operations/cleanup.ts";
import type { RateLimiter } from "../../../signin/rate-limits/rate-limiter.ts";
import { link, signIn } from "../../support/signin/flows.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import type { Answer } from "../../support/signin/users.ts";

describe("the user's passkeys", () => {
  it("are renamed, and found by their owner alone", async () => {
    await using signin = await createPasskeySignin();
    const [owner, other] = [await signin.openAccount(), await signin.openAccount()];
    const { body: added } = await signin.register(owner.bearer, device());
    const path = `/auth/passkeys/${added.id}`;
    const rename = (bearer: string, body: unknown) => signin.ask("PATCH", path, { bearer, body });
    const renamed = await rename(owner.bearer, { label: " Blue key " });
    assert.deepEqual([renamed.status, renamed.body], [200, { ...added, label: "Blue key" }]);
    for (const label of ["", "   ", "a".repeat(101), "two\nlines", "\ud800", 5, null, undefined]) {
      const { status, body } = await rename(owner.bearer, { label });
      assert.deepEqual([status, body.code], [400, "invalid_request"], String(label));
      assert.match(body.details, /^label/);
    }
    for (const answer of [
      await rename(other.bearer, { label: "mine" }),
      await signin.ask("DELETE", path, { bearer: other.bearer }),
      await signin.ask("DELETE", "/auth/passkeys/unknown", { bearer: owner.bearer }),
    ]) {
      assert.deepEqual([answer.status, answer.body.error], [404, "Passkey not found."]);
    }
    assert.deepEqual((await signin.get("/auth/passkeys", other.bearer)).body, { passkeys: [] });
    assert.deepEqual((await signin.get("/auth/passkeys", owner.bearer)).body, {
      passkeys: [renamed.body],
    });
  });

  it("need the bearer before anything else", async () => {
    await using signin = await createPasskeySignin();
    for (const [method, path] of [
      ["POST", "/auth/passkeys/options"],
      ["POST", "/auth/passkeys"],
      ["GET", "/auth/passkeys"],
      ["PATCH", "/auth/passkeys/1"],
      ["DELETE", "/auth/passkeys/1"],
    ] as const) {
      const { status, body } = await signin.ask(method, path);
      assert.deepEqual([status, body.code], [401, "invalid_token"], path);
    }
  });

  it("are announced to their owner by mail, with every way to sign in, without their labels", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const link = "Locked: confirm at https://evil.example/unlock";
    const credential = device().create(await signin.registrationOptions(bearer));
    const named = { credential, label: link };
    const { body } = await signin.ask("POST", "/auth/passkeys", { bearer, body: named });
    assert.equal(body.label, link);
    const added = signin.mails.at(-1);
    assert.equal(added?.subject, "A passkey was added to your account");
    assert.match(added?.text ?? "", /Ways to sign in now:\n- password\n- passkey, since/);
    for (const { text, html } of signin.mails) assert.doesNotMatch(text + html, /evil/);
    await signin.ask("DELETE", `/auth/passkeys/${body.id}`, { bearer });
    assert.equal(signin.mails.at(-1)?.subject, "A passkey was removed from your account");
    assert.doesNotMatch(signin.mails.at(-1)?.text ?? "", /- passkey/);
    assert.equal(signin.audited.at(-1)?.type, "passkey.removed");
  });

  it("go with the account", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    await signin.register(bearer, device());
    await signin.db.$client.execute({ sql: "DELETE FROM users WHERE id = ?", args: [userId] });
    assert.deepEqual(await signin.rows("SELECT id FROM passkeys"), []);
  });

  it("are not added by a session that ended meanwhile", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    const credential = device().create(await signin.registrationOptions(bearer));
    // Between the check of the bearer and the insert: the challenge is consumed in between.
    const { execute } = signin.db.$client;
    signin.db.$client.execute = async (statement: string | { sql: string }) => {
      const result = await execute.call(signin.db.$client, statement as string);
      if (JSON.stringify(statement).includes("INSERT INTO used_nonces")) {
        const revoke = `UPDATE sessions SET revoked_at = 1 WHERE user_id = '${userId}'`;
        await execute.call(signin.db.$client, revoke);
      }
      return result;
    };
    const { status, body } = await signin.ask("POST", "/auth/passkeys", {
      bearer,
      body: { credential },
    });
    assert.deepEqual([status, body.code], [401, "session_expired"]);
    assert.deepEqual(await signin.rows("SELECT id FROM passkeys"), []);
  });
});

describe("the last way to sign in", () => {
  it("may be a passkey: a provider can then be disconnected, and the passkey cannot be removed", async () => {
    await using signin = await createPasskeySignin();
    const { accessToken: bearer } = await signIn(signin);
    const { body } = await signin.register(bearer, device());
    const remove = (id: string) => signin.ask("DELETE", `/auth/passkeys/${id}`, { bearer });
    const disconnect = () => signin.ask("DELETE", "/auth/google/disconnect", { bearer });
    assert.equal((await disconnect()).status, 204);
    assertLast(await remove(body.id));
    const second = await signin.register(bearer, device());
    assert.equal((await remove(body.id)).status, 204);
    assertLast(await remove(second.body.id));
    await link(signin, bearer, { provider: "google", subject: "again" });
    assert.equal((await remove(second.body.id)).status, 204);
    assertLast(await disconnect());
  });

  it("is never a passkey of another relying party, nor an identity of a disabled provider", async () => {
    await using signin = await createPasskeySignin();
    const { accessToken: bearer } = await signIn(signin);
    const { body } = await signin.register(bearer, device());
    await signin.db.$client.execute("UPDATE passkeys SET rp_id = 'former.example.test'");
    assertLast(await signin.ask("DELETE", "/auth/google/disconnect", { bearer }));
    assert.equal((await signin.signIn(device())).status, 401);
    await signin.db.$client.execute("UPDATE passkeys SET rp_id = 'auth.example.test'");
    await signin.db.$client.execute("UPDATE identities SET provider = 'former'");
    assertLast(await signin.ask("DELETE", `/auth/passkeys/${body.id}`, { bearer }));
  });

  it("stays, whichever of a passkey and an identity goes first, when both are removed at once", async () => {
    await using signin = await createPasskeySignin();
    const { accessToken: bearer } = await signIn(signin);
    const { body } = await signin.register(bearer, device());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 2 === 0
          ? signin.ask("DELETE", `/auth/passkeys/${body.id}`, { bearer })
          : signin.ask("DELETE", "/auth/google/disconnect", { bearer }),
      ),
    );
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    const left = await signin.rows(
      "SELECT user_id FROM passkeys UNION ALL SELECT user_id FROM identities",
    );
    assert.equal(left.length, 1);
  });
});

function assertLast({ status, body }: Answer): void {
  assert.deepEqual([status, body.code], [409, "last_sign_in_method"], JSON.stringify(body));
}

describe("limits of passkeys", () => {
  it("count options and sign-ins by address, and changes by user", async () => {
    await using signin = await createPasskeySignin({}, {});
    const { bearer } = await signin.openAccount();
    const statusAfter = async (times: number, ask: () => Promise<Answer>) => {
      for (let at = 0; at < times; at += 1) assert.notEqual((await ask()).status, 429);
      return (await ask()).status;
    };
    const options = () => signin.ask("POST", "/auth/passkey/options");
    assert.equal(await statusAfter(60, options), 429);
    const credential = device().get({ rpId: "x", challenge: "AAAA" }, { userHandle: "AAAA" });
    assert.equal(await statusAfter(60, () => signin.finishSignIn(credential, "")), 429);
    const change = () => signin.ask("POST", "/auth/passkeys/options", { bearer });
    assert.equal(await statusAfter(120, change), 429);
  });

  it("count options, and starts of flows, for a minute and not for a day", async () => {
    const counted: number[] = [];
    const limiter: RateLimiter = {
      async consume(counters) {
        counted.push(...counters.map(({ windowSec }) => windowSec));
        return { ok: true };
      },
      clear: async () => {},
    };
    await using signin = await createPasskeySignin({}, { openRateLimiter: () => limiter });
    const from = { address: "203.0.113.7" };
    assert.equal((await signin.call("POST", "/auth/passkey/options", { from })).status, 200);
    assert.equal((await signin.call("GET", "/auth/google/login", { from })).status, 302);
    // Of the client, its network and its block.
    assert.deepEqual(counted, [60, 60, 60, 60, 60, 60]);
  });

  it("leave no row for options, nor for responses of unknown passkeys", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const written = async () => (await signin.rows("SELECT total_changes() AS n"))[0]?.n;
    await signin.registrationOptions(bearer);
    const before = await written();
    await signin.registrationOptions(bearer);
    for (let at = 0; at < 20; at += 1) {
      const { options, cookie } = await signin.signInOptions();
      const credential = device().get(options, { userHandle: "AAAA" });
      assert.equal((await signin.finishSignIn(credential, cookie)).status, 401);
    }
    assert.equal(await written(), before);
  });

  it("let used challenges expire, and the cleanup deletes them", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    await signin.register(bearer, device());
    const { db, deps } = signin;
    const count = async () => (await cleanUp({ db, clock: deps.clock })).used_nonces;
    deps.clock.advance(300_000);
    assert.equal(await count(), 0);
    deps.clock.advance(1_000);
    assert.equal(await count(), 1);
    assert.deepEqual(await signin.rows("SELECT * FROM used_nonces"), []);
  });
});
