import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  beginFlow,
  createPkce,
  nativeQuery,
  openCallback,
  signIn,
} from "../../support/signin/flows.ts";
import { ISSUER } from "../../support/signin/identity-provider.ts";
import { createTestSignin, type TestSignin } from "../../support/signin/signin.ts";

/** The provider's discovery document, with changes. */
function publish(signin: TestSignin, changes: object, issuer = ISSUER): void {
  signin.idp.intercept = (request) =>
    request.url.includes("well-known")
      ? Response.json({
          issuer,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          jwks_uri: `${ISSUER}/jwks`,
          ...changes,
        })
      : undefined;
}

describe("prompt=select_account", () => {
  const GOOGLE = "https://accounts.google.com";
  const cases: [name: string, prompts: unknown, issuer: string, expected: string | null][] = [
    ["is sent where the metadata list it", ["none", "select_account"], ISSUER, "select_account"],
    ["is left out where the list lacks it", ["none", "login"], ISSUER, null],
    ["is left out where there is no list", undefined, ISSUER, null],
    ["is left out where the list is malformed", "select_account", ISSUER, null],
    ["is sent to Google, which publishes no list", undefined, GOOGLE, "select_account"],
    ["is left out where Google lists others", ["none"], GOOGLE, null],
  ];
  for (const [name, prompts, issuer, expected] of cases) {
    it(`${name}: for a link and a native sign-in, never for a browser sign-in`, async () => {
      await using signin = await createTestSignin({ OIDC_PROVIDER_ISSUER: issuer });
      publish(signin, { prompt_values_supported: prompts }, issuer);
      const { accessToken: bearer } = await signIn(signin, { provider: "github" });
      const promptOf = (url: string) => new URL(url).searchParams.get("prompt");
      assert.equal(promptOf((await beginFlow(signin, "google", { bearer })).url), expected);
      const { challenge } = await createPkce();
      const native = await signin.call("GET", `/auth/google/login${nativeQuery(challenge)}`);
      assert.equal(promptOf((await native.json()).url), expected);
      assert.equal(promptOf((await beginFlow(signin)).url), null);
    });
  }

  it("is not sent to the OAuth provider, which publishes nothing", async () => {
    await using signin = await createTestSignin();
    const { accessToken: bearer } = await signIn(signin);
    const { url } = await beginFlow(signin, "github", { bearer });
    assert.equal(new URL(url).searchParams.has("prompt"), false);
  });
});

describe("the token endpoint's authentication", () => {
  const POST = ["client_secret_post"];
  const BOTH = ["client_secret_post", "client_secret_basic"];
  const cases: [methods: unknown, override: string | undefined, expected: "basic" | "post"][] = [
    [undefined, undefined, "basic"],
    [BOTH, undefined, "basic"],
    [POST, undefined, "post"],
    [["private_key_jwt"], undefined, "post"],
    ["client_secret_post", undefined, "basic"],
    [undefined, "post", "post"],
    [BOTH, "post", "post"],
    [POST, "basic", "basic"],
  ];
  for (const [methods, override, expected] of cases) {
    it(`is ${expected} where ${JSON.stringify(methods)} is listed and ${override ?? "nothing"} is configured`, async () => {
      await using signin = await createTestSignin(
        override === undefined ? {} : { OIDC_PROVIDER_TOKEN_AUTH: override },
      );
      publish(signin, { token_endpoint_auth_methods_supported: methods });
      const { intercept } = signin.idp;
      const seen: { header: string | null; body: string }[] = [];
      signin.idp.intercept = async (request) => {
        if (request.url.endsWith("/token")) {
          seen.push({ header: request.headers.get("authorization"), body: await request.text() });
          return undefined;
        }
        return intercept?.(request);
      };
      assert.equal((await openCallback(signin, await beginFlow(signin))).status, 302);
      assert.equal(seen[0]?.header !== null, expected === "basic", "one place, never both");
      assert.equal(
        new URLSearchParams(seen[0]?.body).get("client_secret"),
        expected === "post" ? "oidc-secret-canary-1f0a" : null,
      );
    });
  }

  it("refuses another value by name", async () => {
    await assert.rejects(
      createTestSignin({ OIDC_PROVIDER_TOKEN_AUTH: "jwt" }),
      /OIDC_PROVIDER_TOKEN_AUTH: must be basic or post/,
    );
  });
});
