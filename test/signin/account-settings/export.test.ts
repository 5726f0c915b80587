// Slow: it exports 10,000 events.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { link } from "../../support/signin/flows.ts";
import { createPasskeySignin, device } from "../../support/signin/passkeys.ts";
import { TEST_ENV } from "../../support/signin/signin.ts";
import { createSigninWithUsers } from "../../support/signin/users.ts";

describe("GET /auth/me/export", () => {
  it("has what is stored about the user, and of no other", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    const other = await signin.openAccount();
    await link(signin, bearer);
    await signin.register(bearer, device());
    const key = { provider_slug: "openai", api_key: "sk-canary-0123456789-WXYZ" };
    await signin.post("/auth/apikey", key, { bearer });
    const { status, headers, body } = await signin.get("/auth/me/export", bearer);
    assert.equal(status, 200);
    assert.match(headers.get("content-disposition") ?? "", /^attachment/);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.deepEqual(
      [body.profile.id, body.profile.email, body.profile.has_password],
      [userId, "key1@example.test", true],
    );
    assert.deepEqual(
      body.identities.map(({ provider, subject }: Record<string, string>) => [
        provider,
        typeof subject,
      ]),
      [["github", "string"]],
    );
    assert.equal(body.passkeys[0].label, "Passkey");
    assert.deepEqual(body.api_keys[0].hint, "****WXYZ");
    assert.equal(body.sessions.length, 1);
    assert.equal(body.events_stored, body.events.length);
    assert.ok(body.events.some(({ type }: { type: string }) => type === "passkey.added"));
    assert.equal(JSON.stringify(body).includes(other.userId), false);
    assert.equal(JSON.stringify(body).includes("key2@example.test"), false);
  });

  it("has every row of the account, and every column but the secret ones", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    await link(signin, bearer);
    await signin.register(bearer, device());
    const api = { provider_slug: "openai", api_key: "sk-canary-0123456789-WXYZ" };
    await signin.post("/auth/apikey", api, { bearer });
    // A canary in every column of text that holds one: what is left out must be a secret, or of no person.
    const left: string[] = [];
    for (const table of ["users", "identities", "api_keys", "passkeys", "sessions"]) {
      for (const { name, type } of await signin.rows(`PRAGMA table_info(${table})`)) {
        if (String(type).toLowerCase() !== "text" || ["id", "user_id"].includes(String(name)))
          continue;
        const canary = `canary-${table}-${name}`;
        const value = String(name).endsWith("_json") ? JSON.stringify([canary]) : canary;
        await signin.rows(`UPDATE ${table} SET ${name} = '${value}'`);
        const { body } = await signin.get("/auth/me/export", bearer);
        if (!JSON.stringify(body).includes(canary)) left.push(`${table}.${name}`);
      }
    }
    assert.deepEqual(left, [
      "users.email_norm",
      "users.password_hash",
      "api_keys.ciphertext",
      "api_keys.key_id",
    ]);
  });

  it("holds no secret: neither a key of the server, nor a token, a hash, an API key or a code", async () => {
    await using signin = await createSigninWithUsers();
    const answer = await signin.signUp("ann@example.test");
    const bearer = answer.access_token;
    const key = "sk-canary-0123456789-WXYZ";
    await signin.post("/auth/apikey", { provider_slug: "openai", api_key: key }, { bearer });
    await signin.post("/auth/password/code", undefined, { bearer });
    const { body } = await signin.get("/auth/me/export", bearer);
    const text = JSON.stringify(body);
    const hashes = await signin.rows("SELECT password_hash FROM users");
    for (const secret of [
      TEST_ENV.JWT_SECRET_KEY,
      TEST_ENV.TOKEN_ENCRYPTION_KEY,
      bearer,
      answer.refresh_token,
      key,
      String(hashes[0]?.password_hash),
      signin.codeFor("ann@example.test"),
    ]) {
      assert.ok(secret && !text.includes(secret), String(secret).slice(0, 6));
    }
  });

  it("has at most 10,000 events, the newest first, and says how many there are", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer, user } = await signin.signUp("ann@example.test");
    await signin.db.$client.execute({
      sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10100)
            INSERT INTO audit_events (at, type, user_id, outcome) SELECT i, 'login.failure', ?, 'failure' FROM n`,
      args: [user.id],
    });
    const { body } = await signin.get("/auth/me/export", bearer);
    assert.equal(body.events.length, 10_000);
    assert.ok(body.events_stored > 10_100);
    const times = body.events.map(({ at }: { at: string }) => at);
    assert.equal(times[0] > times[9_999], true);
  });

  it("is limited to 5 an hour", async () => {
    await using signin = await createSigninWithUsers();
    const { access_token: bearer } = await signin.signUp("ann@example.test");
    const ask = async () => (await signin.get("/auth/me/export", bearer)).status;
    for (let at = 0; at < 5; at += 1) assert.equal(await ask(), 200);
    assert.equal(await ask(), 429);
    signin.deps.clock.advance(540_000);
    assert.equal((await signin.get("/auth/me/export", "")).status, 401);
  });
});
