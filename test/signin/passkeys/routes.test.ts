// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALGORITHM_NAMES } from "../../support/signin/authenticator.ts";
import { keptCookies } from "../../support/signin/flows.ts";
import { createPasskeySignin, device, RP_ID } from "../../support/signin/passkeys.ts";
import { BASE_URL } from "../../support/signin/signin.ts";

describe("adding a passkey", () => {
  it("asks the browser for a discoverable passkey with a verified user", async () => {
    await using signin = await createPasskeySignin();
    const { bearer, userId } = await signin.openAccount();
    const { challenge, ...options } = await signin.registrationOptions(bearer);
    assert.equal(Buffer.from(challenge, "base64url").length, 32);
    assert.deepEqual(options, {
      rp: { id: RP_ID, name: "Roundhouse" },
      user: {
        id: Buffer.from(userId).toString("base64url"),
        name: "key1@example.test",
        displayName: "key1@example.test",
      },
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
      timeout: 300_000,
      excludeCredentials: [],
      authenticatorSelection: {
        residentKey: "required",
        requireResidentKey: true,
        userVerification: "required",
      },
      attestation: "none",
    });
  });

  it("names the relying party as APP_NAME says", async () => {
    await using signin = await createPasskeySignin({ APP_NAME: "Example" });
    const { bearer } = await signin.openAccount();
    assert.equal((await signin.registrationOptions(bearer)).rp.name, "Example");
  });

  for (const algorithm of ALGORITHM_NAMES) {
    it(`takes a key of ${algorithm}, and signs in with it in a browser and natively`, async () => {
      await using signin = await createPasskeySignin();
      const { bearer, userId } = await signin.openAccount();
      const key = device(algorithm, true);
      const credential = key.create(await signin.registrationOptions(bearer));
      const body = { credential, label: "  My key " };
      const added = await signin.ask("POST", "/auth/passkeys", { bearer, body });
      assert.equal(added.status, 200, JSON.stringify(added.body));
      const { id, created_at, ...rest } = added.body;
      assert.deepEqual(rest, { label: "My key", last_used_at: null, backed_up: true });
      const { excludeCredentials } = await signin.registrationOptions(bearer);
      assert.deepEqual(excludeCredentials, [
        { type: "public-key", id: credential.id, transports: ["internal", "hybrid"] },
      ]);

      signin.deps.clock.advance(5_000);
      const browser = await signin.signIn(key);
      assert.equal(browser.status, 200, JSON.stringify(browser.body));
      const { access_token: token, token_type, expires_in, user, ...others } = browser.body;
      assert.deepEqual(
        { token_type, expires_in, others },
        { token_type: "Bearer", expires_in: 600, others: {} },
      );
      assert.equal(user.id, userId);
      const cookies = browser.headers.getSetCookie();
      assert.match(
        cookies[0] ?? "",
        /^__Secure-signin_rt=rt1\.[^;]+; Path=\/auth; .*HttpOnly; Secure; SameSite=Lax/,
      );
      assert.match(cookies[1] ?? "", /^__Host-signin_pk=; Path=\/; Max-Age=0/);
      assert.equal((await signin.get("/auth/me", token)).status, 200);

      const native = await signin.signIn(key, {}, { native: true });
      assert.equal(native.status, 200, JSON.stringify(native.body));
      assert.match(native.body.refresh_token, /^rt1\./);
      assert.deepEqual(native.headers.getSetCookie(), []);
      const { body: list } = await signin.get("/auth/passkeys", bearer);
      const last_used_at = new Date(Date.parse(created_at) + 5_000).toISOString();
      assert.deepEqual(list, {
        passkeys: [{ id, label: "My key", created_at, last_used_at, backed_up: true }],
      });
      const events = signin.audited.filter(({ type }) => /^(passkey|login)\./.test(type));
      assert.deepEqual(
        events.map(({ type, detail, userId: owner }) => [type, detail?.method, owner]),
        [
          ["passkey.added", undefined, userId],
          ["login.success", "passkey", userId],
          ["login.success", "passkey", userId],
        ],
      );
    });
  }

  it("refuses a passkey that any account has, and a twenty-first", async () => {
    await using signin = await createPasskeySignin();
    const [first, second] = [await signin.openAccount(), await signin.openAccount()];
    const key = device();
    assert.equal((await signin.register(first.bearer, key)).status, 200);
    for (const { bearer } of [first, second]) {
      const { status, body } = await signin.register(bearer, key);
      assert.deepEqual([status, body.code], [409, "passkey_in_use"]);
    }
    for (let at = 1; at < 20; at += 1) {
      assert.equal((await signin.register(first.bearer, device("EdDSA"))).status, 200);
    }
    const { status, body } = await signin.register(first.bearer, device());
    assert.deepEqual([status, body.code], [409, "too_many_passkeys"]);
    assert.equal((await signin.rows("SELECT id FROM passkeys")).length, 20);
  });

  it("takes a self attestation whose signature is the new key's", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const answer = await signin.register(bearer, device("ES256"), {
      attestation: (parts, self) =>
        parts.set("fmt", "packed").set(
          "attStmt",
          new Map([
            ["alg", self.algorithm as never],
            ["sig", self.sign()],
          ]),
        ),
    });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  });

  it("takes extensions, and a label of its own where none is given", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const answer = await signin.register(bearer, device(), {
      extensions: new Map([["credProtect", 2]]),
    });
    assert.equal(answer.body.label, "Passkey");
  });
});

describe("signing in with a passkey", () => {
  it("has options without any account, whatever address is sent", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    await signin.register(bearer, device());
    for (const body of [
      undefined,
      {},
      { email: "key1@example.test" },
      { email: "no@example.test" },
    ]) {
      const answer = await signin.ask("POST", "/auth/passkey/options", { body });
      const { challenge, ...options } = answer.body;
      assert.equal(Buffer.from(challenge, "base64url").length, 32);
      assert.deepEqual(options, { rpId: RP_ID, timeout: 300_000, userVerification: "required" });
      assert.match(
        answer.headers.getSetCookie().join(),
        /^__Host-signin_pk=[\w-]{43}; Path=\/; Max-Age=300; HttpOnly; Secure; SameSite=Lax$/,
      );
    }
  });

  it("keeps the challenges of several tabs good: they share the cookie", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const { options, cookie } = await signin.signInOptions();
    const second = await signin.call("POST", "/auth/passkey/options", { cookie });
    assert.deepEqual(keptCookies(second), [cookie]);
    for (const each of [options, await second.json()]) {
      assert.equal((await signin.finishSignIn(key.get(each), cookie)).status, 200);
    }
  });

  it("needs an allowed origin in a browser, and spends nothing without one; a native client needs none", async () => {
    await using signin = await createPasskeySignin();
    const { bearer } = await signin.openAccount();
    const key = device();
    await signin.register(bearer, key);
    const { options, cookie } = await signin.signInOptions();
    const credential = key.get(options);
    for (const origin of [undefined, "https://evil.example.test"]) {
      const given = origin === undefined ? {} : { origin };
      const answer = await signin.ask("POST", "/auth/passkey", {
        body: { credential },
        cookie,
        ...given,
      });
      assert.deepEqual([answer.status, answer.body.code], [403, "forbidden_origin"]);
    }
    const native = await signin.ask("POST", "/auth/passkey", {
      body: { credential, native: true },
      cookie,
    });
    assert.equal(native.status, 200, JSON.stringify(native.body));
  });

  it("asks for JSON of the right shape, and names the field", async () => {
    await using signin = await createPasskeySignin();
    const { options, cookie } = await signin.signInOptions();
    const good = device().get(options, { userHandle: "AA" });
    for (const [body, field] of [
      [{}, "credential"],
      [{ credential: { ...good, rawId: "%" } }, "credential.rawId"],
      [{ credential: { ...good, response: { ...good.response, signature: 5 } } }, "signature"],
      [{ credential: good, native: "yes" }, "native"],
    ] as const) {
      const answer = await signin.ask("POST", "/auth/passkey", { body, cookie, origin: BASE_URL });
      assert.equal(answer.status, 400);
      assert.match(answer.body.details, new RegExp(field));
    }
  });
});
