import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  openCallback,
  postCallback,
  refusalOf,
  signIn,
} from "../../support/signin/flows.ts";
import { PLAYED_ENV } from "../../support/signin/played-providers.ts";
import { BASE_URL, createTestSignin } from "../../support/signin/signin.ts";
import { MAIL_ENV } from "../../support/signin/users.ts";

const PERSON = { subject: "80351110224678912", name: "Ada Lovelace" };

const create = (env: Record<string, string> = {}) =>
  createTestSignin({ ...PLAYED_ENV, ...MAIL_ENV, ...env });

describe("Apple", () => {
  const form = { "content-type": "application/x-www-form-urlencoded" };

  it("tells a name once, and no address beside it", async () => {
    await using signin = await create();
    const email = "relay@privaterelay.appleid.com";
    const { user } = await signIn(signin, { ...PERSON, provider: "apple", email });
    assert.equal(user.email, email);
    const named = await signin.rows("SELECT display_name AS name FROM users");
    assert.deepEqual(named, [{ name: "Ada Lovelace" }]);
    await signIn(signin, { ...PERSON, provider: "apple", email });
    assert.deepEqual(await signin.rows("SELECT display_name AS name FROM users"), named);
  });

  it("brings no address and no other field of the form into a URL", async () => {
    await using signin = await create();
    const user = JSON.stringify({
      name: { firstName: " Ada\n", lastName: 7 },
      email: "victim@example.test",
    });
    const body = new URLSearchParams([
      ["state", "s"],
      ["code", "c"],
      ["user", user],
      ["id_token", "t"],
      ["iss", "i"],
    ]).toString();
    const posted = await postCallback(signin, `${BASE_URL}/auth/apple/callback?${body}`);
    const { origin, pathname, searchParams } = new URL(posted);
    assert.equal(origin + pathname, `${BASE_URL}/auth/apple/callback`);
    assert.deepEqual(Object.fromEntries(searchParams), {
      state: "s",
      code: "c",
      user: '{"name":{"firstName":"Ada"}}',
    });
  });

  it("that posts uses nothing up, and a cancelled sign-in is the person's", async () => {
    await using signin = await create();
    const flow = await beginFlow(signin, "apple");
    const callback = await signin.idp.authorize(flow.url);
    signin.idp.takeRequests();
    await postCallback(signin, callback);
    const next = await postCallback(signin, callback);
    assert.deepEqual(signin.idp.takeRequests(), []);
    assert.deepEqual(await signin.rows("SELECT * FROM used_nonces"), []);
    assert.equal((await signin.call("GET", next, { cookie: flow.cookie })).status, 302);
    const other = await beginFlow(signin, "apple");
    const state = new URL(other.url).searchParams.get("state") ?? "";
    const query = new URLSearchParams({ state, error: "user_cancelled_authorize" });
    const cancelled = await signin.call("GET", `/auth/apple/callback?${query}`, other);
    assert.equal(await refusalOf(cancelled), "403 access_denied");
  });

  for (const [name, path, body, headers, refusal] of [
    ["JSON", "/auth/apple/callback", "{}", {}, "415 unsupported_media_type"],
    ["17 KiB", "/auth/apple/callback", "a".repeat(17_000), form, "413 payload_too_large"],
    [
      "form for a provider that redirects",
      "/auth/google/callback",
      "a=b",
      form,
      "405 method_not_allowed",
    ],
    [
      "form for an unknown provider",
      "/auth/unknown/callback",
      "a=b",
      form,
      "404 provider_disabled",
    ],
  ] as const) {
    it(`takes no ${name}`, async () => {
      await using signin = await create();
      const response = await signin.call("POST", path, { body, headers });
      assert.equal(await refusalOf(response), refusal);
    });
  }

  it("is refused by a sentence in the log where its key is none", async () => {
    await using signin = await create({ PROVIDER_APPLE_PRIVATE_KEY: "BggqhkjOPQMBBw==" });
    const response = await openCallback(signin, await beginFlow(signin, "apple"));
    assert.equal(await refusalOf(response), "502 provider_error");
    assert.match(signin.logged.join(), /PROVIDER_APPLE_PRIVATE_KEY is no ES256 key/);
  });

  it("alone may post from another origin", async () => {
    await using signin = await create();
    const ask = { body: "a=b", headers: form, origin: "https://appleid.apple.com" };
    for (const path of ["/auth/google/callback", "/auth/apple/login", "/auth/logout"]) {
      const response = await signin.call("POST", path, ask);
      assert.equal(await refusalOf(response), "403 forbidden_origin", path);
    }
  });
});
