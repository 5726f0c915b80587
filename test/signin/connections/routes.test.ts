// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromBase64Url } from "../../../shared/bytes.ts";
import { createSealedBox } from "../../../shared/sealed-box.ts";
import { apiKeyContext } from "../../../signin/connections/api-keys.ts";
import { countStatus, link, refusalOf, signIn } from "../../support/signin/flows.ts";
import { createTestSignin, TEST_ENV } from "../../support/signin/signin.ts";

const KEY = "sk-canary-0123456789abcdef";
const GOOD = { provider_slug: "openai", api_key: KEY };

describe("the hint of an API key", () => {
  const cases: [key: string, hint: string][] = [
    [KEY, "****cdef"],
    ["0123456789abcdef", "****cdef"],
    ["0123456789abcde", "****"],
    ["x", "****"],
  ];
  for (const [key, hint] of cases) {
    it(`of ${key.length} characters is ${hint}`, async () => {
      await using signin = await createTestSignin();
      const { accessToken: bearer } = await signIn(signin);
      const body = { provider_slug: "openai", api_key: key };
      const response = await signin.call("POST", "/auth/apikey", { bearer, body });
      assert.deepEqual(await response.json(), { provider_slug: "openai", hint });
    });
  }
});

describe("POST /auth/apikey", () => {
  it("answers a masked hint, and the key is nowhere to be seen", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    const response = await signin.call("POST", "/auth/apikey", { bearer, body: GOOD });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { provider_slug: "openai", hint: "****cdef" });
    const seen = [
      JSON.stringify(await signin.rows("SELECT * FROM api_keys")),
      await (await signin.call("GET", "/auth/me", { bearer })).text(),
      await (await signin.call("GET", "/auth/providers", { bearer })).text(),
      JSON.stringify(signin.audited),
      signin.logged.join(),
    ];
    assert.equal(seen.join().includes(KEY), false);
  });

  it("seals the key for this user and provider alone", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer, user } = await signIn(signin);
    await signin.call("POST", "/auth/apikey", { bearer, body: GOOD });
    const [row] = await signin.rows("SELECT ciphertext, key_id FROM api_keys");
    const box = await createSealedBox([
      fromBase64Url(TEST_ENV.TOKEN_ENCRYPTION_KEY ?? "") ?? new Uint8Array(),
    ]);
    const envelope = String(row?.ciphertext);
    assert.equal(row?.key_id, box.keyId);
    assert.equal(await box.open(envelope, apiKeyContext(user.id, "openai")), KEY);
    await assert.rejects(box.open(envelope, apiKeyContext(user.id, "gemini")));
    await assert.rejects(box.open(envelope, apiKeyContext("other", "openai")));
  });

  it("replaces the key that was there", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    for (const api_key of [KEY, "another-key-of-some-length"]) {
      await signin.call("POST", "/auth/apikey", { bearer, body: { ...GOOD, api_key } });
    }
    assert.deepEqual(await signin.rows("SELECT provider, hint FROM api_keys"), [
      { provider: "openai", hint: "****ngth" },
    ]);
  });

  it("takes all three providers", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    for (const provider_slug of ["openai", "anthropic", "gemini"]) {
      const body = { ...GOOD, provider_slug };
      assert.equal((await signin.call("POST", "/auth/apikey", { bearer, body })).status, 200);
    }
  });

  const BAD: Record<string, unknown> = {
    "no provider": { api_key: KEY },
    "an unknown provider": { ...GOOD, provider_slug: "mistral" },
    "a login provider": { ...GOOD, provider_slug: "google" },
    "another case": { ...GOOD, provider_slug: "OpenAI" },
    "no key": { provider_slug: "openai" },
    "an empty key": { ...GOOD, api_key: "" },
    "a blank key": { ...GOOD, api_key: "  " },
    "a key with a line feed": { ...GOOD, api_key: "sk-a\nX-Evil: 1" },
    "a key with a space": { ...GOOD, api_key: "sk a" },
    "a key that is not ASCII": { ...GOOD, api_key: "sk-é" },
    "a key that is too long": { ...GOOD, api_key: "k".repeat(4097) },
    "a number for a key": { ...GOOD, api_key: 1 },
    "an array": [GOOD],
    null: "null",
    "malformed JSON": "{",
  };
  for (const [name, body] of Object.entries(BAD)) {
    it(`refuses ${name}, and never repeats the input`, async () => {
      await using signin = await createTestSignin();
      const { accessToken: bearer } = await signIn(signin);
      const response = await signin.call("POST", "/auth/apikey", { bearer, body });
      const text = await response.text();
      assert.equal(response.status, 400, text);
      assert.doesNotMatch(text, /sk-|kkkk|mistral/);
      assert.deepEqual(await signin.rows("SELECT 1 FROM api_keys"), []);
    });
  }

  it("needs the bearer before it looks at the body", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("POST", "/auth/apikey", { body: "{" });
    assert.equal(await refusalOf(response), "401 invalid_token");
    assert.equal(response.headers.get("www-authenticate"), 'Bearer error="invalid_token"');
  });

  it("lets a user connect ten times a minute", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    const call = () => signin.call("POST", "/auth/apikey", { bearer, body: GOOD });
    for (let at = 0; at < 10; at += 1) assert.equal((await call()).status, 200);
    assert.equal(await refusalOf(await call()), "429 rate_limited");
  });

  it("never makes a way to sign in", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    await signin.call("POST", "/auth/apikey", { bearer, body: GOOD });
    assert.equal(
      await refusalOf(await signin.call("GET", "/auth/openai/login")),
      "404 provider_disabled",
    );
    const refused = await signin.call("DELETE", "/auth/google/disconnect", { bearer });
    assert.equal(await refusalOf(refused), "409 last_sign_in_method");
  });
});

describe("DELETE /auth/{provider}/disconnect", () => {
  it("takes an API key away, however few ways to sign in there are", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    await signin.call("POST", "/auth/apikey", { bearer, body: GOOD });
    const response = await signin.call("DELETE", "/auth/openai/disconnect", { bearer });
    assert.equal(response.status, 204);
    assert.equal(await response.text(), "");
    const again = await signin.call("DELETE", "/auth/openai/disconnect", { bearer });
    assert.equal(await refusalOf(again), "404 not_found");
  });

  it("takes one of two identities away, and keeps the last", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    assert.equal((await link(signin, bearer)).status, 302);
    assert.equal((await signin.call("DELETE", "/auth/google/disconnect", { bearer })).status, 204);
    const last = await signin.call("DELETE", "/auth/github/disconnect", { bearer });
    assert.equal(await refusalOf(last), "409 last_sign_in_method");
    assert.ok(signin.audited.some(({ type }) => type === "identity.unlinked"));
  });

  it("takes the last identity away where the account has a password", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    await signin.rows("UPDATE users SET password_hash = 'x'");
    assert.equal((await signin.call("DELETE", "/auth/google/disconnect", { bearer })).status, 204);
  });

  it("of two identities at once, from 50 calls, takes exactly one away", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    await link(signin, bearer);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        signin.call("DELETE", `/auth/${at % 2 ? "google" : "github"}/disconnect`, { bearer }),
      ),
    );
    assert.equal(countStatus(answers, 204), 1);
    assert.equal((await signin.rows("SELECT 1 FROM identities")).length, 1);
  });

  it("does not count an identity of a provider that is switched off", async () => {
    await using signin = await createTestSignin({
      OAUTH_PROVIDER_CLIENT_ID: "",
      OAUTH_PROVIDER_CLIENT_SECRET: "",
    });
    const { accessToken: bearer, user } = await signIn(signin);
    await signin.rows(
      `INSERT INTO identities (provider, subject, user_id, linked_at) VALUES ('github', '9', '${user.id}', 1)`,
    );
    const refused = await signin.call("DELETE", "/auth/google/disconnect", { bearer });
    assert.equal(await refusalOf(refused), "409 last_sign_in_method");
    assert.equal((await signin.call("DELETE", "/auth/github/disconnect", { bearer })).status, 204);
  });

  for (const provider of ["github", "openai", "nonsense", "%00"]) {
    it(`answers 404 for ${provider} that is not connected`, async () => {
      await using signin = await createTestSignin();
      const { accessToken: bearer } = await signIn(signin);
      const response = await signin.call("DELETE", `/auth/${provider}/disconnect`, { bearer });
      assert.equal(await refusalOf(response), "404 not_found");
    });
  }

  it("does not change another user's connection", async () => {
    await using signin = await createTestSignin();
    const ada = await signIn(signin);
    const bob = await signIn(signin, { subject: "2", email: "bob@example.test" });
    await signin.call("POST", "/auth/apikey", { bearer: ada.accessToken, body: GOOD });
    const response = await signin.call("DELETE", "/auth/openai/disconnect", {
      bearer: bob.accessToken,
    });
    assert.equal(response.status, 404);
    assert.equal((await signin.rows("SELECT 1 FROM api_keys")).length, 1);
  });

  it("needs the bearer", async () => {
    await using signin = await createTestSignin();
    const response = await signin.call("DELETE", "/auth/openai/disconnect");
    assert.equal(await refusalOf(response), "401 invalid_token");
  });
});
