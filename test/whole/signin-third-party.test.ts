import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Events, OAuth2Server } from "oauth2-mock-server";
import type { Page } from "playwright-core";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { freePort } from "../support/fake-server.ts";
import { isLongRun } from "../support/repeats.ts";
import { PASSWORD, SigninHarness } from "../support/signin/harness.ts";
import { createWorkersRuntime, inProcessRuntime } from "../support/signin/runtimes.ts";
import { assertRefused } from "../support/signin/user-agent.ts";
import { startHonestProvider } from "./signin/oidc-provider.ts";

// OpenID providers of other people: panva's oidc-provider as it comes, with its own pages, in a real browser; and
// oauth2-mock-server, which has one person and no page.

for (const runtime of [inProcessRuntime, ...(isLongRun ? [createWorkersRuntime()] : [])]) {
  describe(`oidc-provider in a browser and the sign-in server on ${runtime.name}`, {
    skip: NO_CHROMIUM,
  }, () => {
    const openPage = async (harness: SigninHarness): Promise<Page> => {
      const browser = await sharedBrowser();
      const context = await browser.newContext({
        extraHTTPHeaders: { "X-Forwarded-For": harness.agent().address },
      });
      // The provider's pages ask for a font from elsewhere.
      await context.route(
        (url) => url.hostname !== "127.0.0.1",
        (route) => route.abort(),
      );
      const page = await context.newPage();
      await page.goto(`${harness.signin.baseUrl}/`);
      return page;
    };

    it("signs in, stays signed in, logs out, and signs in again without a question", async () => {
      await using place = await openPanva();
      const page = await openPage(place.harness);
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await agreeAt(page, "ada");
      await notice(page, "You are signed in.");
      await page.getByText("ada@example.test").waitFor();
      await page.reload();
      await signedIn(page);
      await page.getByRole("button", { name: "Sign out", exact: true }).click();
      await notice(page, "You are signed out.");
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await notice(page, "You are signed in.");
      assert.equal(await place.harness.count("users"), 1);
      await page.context().close();
    });

    it("links to an account with a password, is listed, and is disconnected", async () => {
      await using place = await openPanva();
      const { email } = await place.harness.signUp();
      const page = await openPage(place.harness);
      await page.getByLabel("E-mail", { exact: true }).fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await signedIn(page);
      await page.getByRole("button", { name: "Connect: Google", exact: true }).click();
      await agreeAt(page, "bob");
      await notice(page, "Google is connected.");
      assert.equal(await place.harness.count("identities", "subject = 'bob'"), 1);
      await page.getByRole("button", { name: "Disconnect: Google", exact: true }).click();
      await notice(page, "Google is disconnected.");
      assert.equal(await place.harness.count("identities"), 0);
      await page.context().close();
    });

    async function openPanva() {
      await using stack = new AsyncDisposableStack();
      const port = await freePort();
      const redirectUris = [`http://127.0.0.1:${port}/auth/google/callback`];
      // Its default: claims of scopes come from UserInfo.
      const provider = stack.use(
        await startHonestProvider({ redirectUris, claimsFromUserInfo: true }),
      );
      const harness = stack.use(
        await SigninHarness.open(runtime, {
          SIGNIN_PORT: String(port),
          OIDC_PROVIDER_ISSUER: provider.issuer,
          OIDC_PROVIDER_CLIENT_ID: provider.clientId,
          OIDC_PROVIDER_CLIENT_SECRET: provider.clientSecret,
        }),
      );
      const held = stack.move();
      return { harness, [Symbol.asyncDispose]: () => held.disposeAsync() };
    }
  });

  describe(`oauth2-mock-server and the sign-in server on ${runtime.name}`, () => {
    it("signs in, refreshes, and refuses an unverified address and a second account for its one person", async () => {
      const server = new OAuth2Server();
      await server.issuer.keys.generate("RS256");
      await server.start(0, "127.0.0.1");
      await using _ = { [Symbol.asyncDispose]: () => server.stop() };
      let person: Record<string, unknown> = {};
      server.service.on(Events.BeforeTokenSigning, ({ payload }) => Object.assign(payload, person));
      await using harness = await SigninHarness.open(runtime, {
        OIDC_PROVIDER_ISSUER: server.issuer.url ?? "",
        OIDC_PROVIDER_CLIENT_ID: "client",
        OIDC_PROVIDER_CLIENT_SECRET: "the-secret-of-the-client",
      });
      person = { aud: "client", sub: "johndoe", email: "john@example.test", email_verified: false };
      const signIn = async (agent = harness.agent()) =>
        agent.get(await harness.consent(await harness.begin(agent, "google")), {
          headers: { Accept: "application/json" },
        });
      assertRefused(await signIn(), 403, "email_unverified");
      person = { ...person, email_verified: true };
      const agent = harness.agent();
      assert.equal((await signIn(agent)).status, 302, harness.signin.output());
      const tokens = await harness.refreshByCookie(agent);
      assert.equal(tokens.user.email, "john@example.test");
      const { access_token: bearer } = await harness.signUp();
      const begun = await agent.get("/auth/google/login?mode=link", { bearer });
      const link = () => harness.consent(begun.json<{ url: string }>().url);
      assertRefused(
        await agent.get(await link(), { headers: { Accept: "application/json" } }),
        409,
        "identity_in_use",
      );
    });
  });
}

describe("a generic provider of others", () => {
  it("oidc-provider: by its issuer alone, with the `iss` that it promises", async () => {
    const port = await freePort();
    const redirectUris = [`http://127.0.0.1:${port}/auth/panva/callback`];
    await using provider = await startHonestProvider({ redirectUris });
    await using harness = await SigninHarness.open(inProcessRuntime, {
      SIGNIN_PORT: String(port),
      PROVIDERS: "panva",
      PROVIDER_PANVA_KIND: "oidc",
      PROVIDER_PANVA_ISSUER: provider.issuer,
      PROVIDER_PANVA_CLIENT_ID: provider.clientId,
      PROVIDER_PANVA_CLIENT_SECRET: provider.clientSecret,
    });
    await provesOnce(harness, "panva", "ada@example.test", async (url) => {
      const callback = new URL(await provider.logIn(url, "ada"));
      assert.equal(callback.searchParams.get("iss"), provider.issuer);
      return callback;
    });
  });

  it("oauth2-mock-server: by its three addresses", async () => {
    const server = new OAuth2Server();
    await server.issuer.keys.generate("RS256");
    await server.start(0, "127.0.0.1");
    await using _ = { [Symbol.asyncDispose]: () => server.stop() };
    const email = "john@example.test";
    server.service.on(Events.BeforeUserinfo, (response) => {
      response.body = { id: 4711, email, verified: true, name: "John" };
    });
    const { url } = server.issuer;
    await using harness = await SigninHarness.open(inProcessRuntime, {
      PROVIDERS: "mock",
      PROVIDER_MOCK_KIND: "oauth",
      PROVIDER_MOCK_AUTHORIZE_URL: `${url}/authorize`,
      PROVIDER_MOCK_TOKEN_URL: `${url}/token`,
      PROVIDER_MOCK_API_URL: `${url}/userinfo`,
      PROVIDER_MOCK_CLIENT_ID: "client",
      PROVIDER_MOCK_CLIENT_SECRET: "the-secret-of-the-client",
    });
    await provesOnce(harness, "mock", email, (url) => harness.consent(url));
    assert.equal(await harness.count("identities", "subject = '4711'"), 1);
  });
});

/** A first sign-in with a mailed code, and a second one without. */
async function provesOnce(
  harness: SigninHarness,
  slug: string,
  email: string,
  consent: (url: string) => Promise<URL>,
): Promise<void> {
  const agent = harness.agent();
  const open = async () => agent.get(await consent(String(await harness.begin(agent, slug))));
  const first = await open();
  assert.equal(first.location?.hash, "#finish", first.text + harness.signin.output());
  assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
  const body = { email, code: await harness.mailbox.codeFor(email) };
  const headers = { Origin: harness.signin.baseUrl };
  const made = await agent.post("/auth/signup/complete", body, { headers });
  assert.equal(made.status, 200, made.text);
  assert.equal((await open()).location?.search, "?auth=success");
  assert.equal((await harness.refreshByCookie(agent)).user.email, email);
  assert.equal(await harness.count("users"), 1);
}

/** The pages of oidc-provider: any name and password, then the consent. */
async function agreeAt(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(account);
  await page.getByPlaceholder("and password").fill("any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

async function notice(page: Page, text: string): Promise<void> {
  await page.getByRole("status").getByText(text).waitFor();
}

async function signedIn(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Your account" }).waitFor();
}
