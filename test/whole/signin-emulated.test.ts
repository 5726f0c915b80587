import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ServiceName } from "emulate";
import { freePort } from "../support/fake-server.ts";
import { isLongRun } from "../support/repeats.ts";
import { SigninHarness } from "../support/signin/harness.ts";
import {
  createWorkersRuntime,
  inProcessRuntime,
  nodeRuntime,
  type SigninRuntime,
} from "../support/signin/runtimes.ts";
import { type Answer, assertRefused } from "../support/signin/user-agent.ts";
import { type EmulatedProvider, startEmulatedProvider } from "./signin/emulated-provider.ts";

// The package `emulate`: other people's reading of what these providers do. Each has a page with a button for each account.

interface Emulated {
  service: ServiceName;
  /** Where its metadata are, behind the address. */
  issuerPath?: string;
  users: Record<string, unknown>[];
  /** What its page calls the accounts. */
  accounts: [first: string, second: string];
  /** What has to be configured for it, and why. */
  settings?: Record<string, string>;
}

const OIDC: Emulated[] = [
  {
    service: "google",
    users: [
      { email: "ada@gmail.com", name: "Ada" },
      { email: "bob@gmail.com", name: "Bob" },
    ],
    accounts: ["ada@gmail.com", "bob@gmail.com"],
    // Lists client_secret_basic, and refuses it.
    settings: { OIDC_PROVIDER_TOKEN_AUTH: "post" },
  },
  {
    service: "okta",
    users: [
      { login: "ada@okta.local", email: "ada@okta.local", first_name: "Ada", last_name: "A" },
      { login: "bob@okta.local", email: "bob@okta.local", first_name: "Bob", last_name: "B" },
    ],
    accounts: ["ada@okta.local", "bob@okta.local"],
  },
  {
    // `email_verified` is a text, and the secret goes into the form, as its metadata say.
    service: "apple",
    users: [
      { email: "ada@icloud.com", name: "Ada" },
      { email: "bob@icloud.com", name: "Bob" },
    ],
    accounts: ["ada@icloud.com", "bob@icloud.com"],
  },
];

// A provider tells them apart by nothing.
const runtimes = [inProcessRuntime, ...(isLongRun ? [createWorkersRuntime()] : [])];

for (const runtime of runtimes) {
  describe(`emulated providers and the sign-in server on ${runtime.name}`, () => {
    for (const emulated of OIDC) {
      it(`${emulated.service}: signs in, keeps, links and disconnects`, async () => {
        await using place = await openOidc(runtime, emulated);
        await journey(place, "google", emulated.accounts);
      });
    }

    it("microsoft: sends no email_verified: a sign-up is refused, and a linked identity signs in", async () => {
      const users = [
        { email: "ada@outlook.com", name: "Ada" },
        { email: "bob@outlook.com", name: "Bob" },
      ];
      await using place = await openOidc(runtime, {
        service: "microsoft",
        issuerPath: "/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
        users,
        accounts: ["ada@outlook.com", "bob@outlook.com"],
      });
      const { harness } = place;
      const refused = await signIn(place, "google", "ada@outlook.com");
      assertRefused(refused, 403, "email_unverified");
      await linkAndDisconnect(place, "google", "ada@outlook.com", { isDisconnected: false });
      assert.equal((await signIn(place, "google", "ada@outlook.com")).status, 302);
      assert.equal(await harness.count("users"), 1);
    });

    it("github: signs in, keeps, links and disconnects", async () => {
      const users = [
        { login: "ada", name: "Ada", email: "ada@github.example" },
        { login: "bob", name: "Bob", email: "bob@github.example" },
      ];
      const port = await freePort();
      const redirectUris = [`http://127.0.0.1:${port}/auth/github/callback`];
      await using provider = await startEmulatedProvider("github", { users, redirectUris });
      await using harness = await SigninHarness.open(runtime, {
        SIGNIN_PORT: String(port),
        OAUTH_PROVIDER_AUTHORIZE_URL: `${provider.url}/login/oauth/authorize`,
        OAUTH_PROVIDER_TOKEN_URL: `${provider.url}/login/oauth/access_token`,
        OAUTH_PROVIDER_API_URL: provider.url,
        OAUTH_PROVIDER_CLIENT_ID: provider.clientId,
        OAUTH_PROVIDER_CLIENT_SECRET: provider.clientSecret,
      });
      await journey({ harness, provider }, "github", ["ada@github.example", "bob@github.example"]);
    });
  });
}

it("google as emulated refuses the basic authentication that it lists: 502, and the log says invalid_client", async () => {
  const [google] = OIDC;
  assert.ok(google);
  await using place = await openOidc(nodeRuntime, { ...google, settings: {} });
  const answer = await signIn(place, "google", google.accounts[0]);
  assertRefused(answer, 502, "provider_error");
  assert.match(place.harness.signin.output(), /invalid_client/);
});

interface Place {
  harness: SigninHarness;
  provider: EmulatedProvider;
}

async function openOidc(
  runtime: SigninRuntime,
  { service, issuerPath = "", users, settings = {} }: Emulated,
): Promise<Place & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${port}/auth/google/callback`];
  const provider = stack.use(await startEmulatedProvider(service, { users, redirectUris }));
  const harness = stack.use(
    await SigninHarness.open(runtime, {
      SIGNIN_PORT: String(port),
      OIDC_PROVIDER_ISSUER: provider.url + issuerPath,
      OIDC_PROVIDER_CLIENT_ID: provider.clientId,
      OIDC_PROVIDER_CLIENT_SECRET: provider.clientSecret,
      ...settings,
    }),
  );
  const held = stack.move();
  return { harness, provider, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** First and later sign-ins, refresh, logout, and a link to an account with a password and its end. */
async function journey(place: Place, slug: string, [first, second]: [string, string]) {
  const { harness } = place;
  const agent = harness.agent();
  const answer = await signIn(place, slug, first, agent);
  assert.equal(answer.status, 302, answer.text + harness.signin.output());
  const tokens = await harness.refreshByCookie(agent);
  assert.equal(tokens.user.email, first);
  const headers = { Origin: harness.signin.baseUrl };
  const left = await agent.ask("/auth/logout", { method: "POST", headers });
  assert.equal(left.status, 204, left.text);
  assert.equal((await harness.me(tokens.access_token)).status, 401);
  const again = harness.agent();
  assert.equal((await signIn(place, slug, first, again)).status, 302);
  assert.equal((await harness.refreshByCookie(again)).user.id, tokens.user.id);
  await linkAndDisconnect(place, slug, second, { isDisconnected: true });
}

async function signIn(
  { harness, provider }: Place,
  slug: string,
  account: string,
  agent = harness.agent(),
): Promise<Answer> {
  const callback = await provider.choose(await harness.begin(agent, slug), account);
  return agent.get(callback, { headers: { Accept: "application/json" } });
}

async function linkAndDisconnect(
  { harness, provider }: Place,
  slug: string,
  account: string,
  { isDisconnected }: { isDisconnected: boolean },
): Promise<void> {
  const agent = harness.agent();
  const { access_token: bearer } = await harness.signUp(agent);
  const begun = await agent.get(`/auth/${slug}/login?mode=link`, { bearer });
  const linked = await agent.get(
    await provider.choose(begun.json<{ url: string }>().url, account),
    { headers: { Accept: "application/json" } },
  );
  assert.equal(linked.status, 302, linked.text);
  const connected = async () =>
    (await harness.me(bearer)).json<{ connected_providers: string[] }>().connected_providers;
  assert.deepEqual(await connected(), [slug]);
  if (!isDisconnected) return;
  const gone = await agent.ask(`/auth/${slug}/disconnect`, { method: "DELETE", bearer });
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(await connected(), []);
}
