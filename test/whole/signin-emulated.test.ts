import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ServiceName } from "emulate";
import { freePort } from "../support/fake-server.ts";
import { isLongRun } from "../support/repeats.ts";
import { SigninHarness } from "../support/signin/harness.ts";
import { APPLE_KEY } from "../support/signin/played-providers.ts";
import {
  createWorkersRuntime,
  inProcessRuntime,
  nodeRuntime,
  type SigninRuntime,
} from "../support/signin/runtimes.ts";
import { type Answer, assertRefused, type UserAgent } from "../support/signin/user-agent.ts";
import { until } from "../support/time.ts";
import { type EmulatedProvider, startEmulatedProvider } from "./signin/emulated-provider.ts";

// The package `emulate`: other people's reading of what these providers do. Each has a page with a button for each account.

const EMULATED: Emulated[] = [
  {
    service: "google",
    users: ["ada@gmail.com", "bob@gmail.com"].map((email) => ({ email, name: "Ada" })),
    toSettings: ({ url }) => ({ PROVIDER_GOOGLE_ISSUER: url }),
  },
  {
    service: "okta",
    users: ["ada@okta.local", "bob@okta.local"].map((email) => ({
      ...{ login: email, email, first_name: "Ada", last_name: "A" },
    })),
    toSettings: ({ url }) => ({ PROVIDER_OKTA_KIND: "oidc", PROVIDER_OKTA_ISSUER: url }),
  },
  {
    // It posts its callback; `email_verified` is a text.
    service: "apple",
    users: ["ada@icloud.com", "bob@icloud.com"].map((email) => ({ email, name: "Ada L" })),
    toSettings: ({ url }) => ({
      PROVIDER_APPLE_ISSUER: url,
      PROVIDER_APPLE_CLIENT_SECRET: "",
      PROVIDER_APPLE_TEAM_ID: "TEAM001",
      PROVIDER_APPLE_KEY_ID: "TESTKEY001",
      PROVIDER_APPLE_PRIVATE_KEY: APPLE_KEY,
    }),
  },
  {
    // Sends no `email_verified`, and the issuer of one tenant in the metadata of all.
    service: "microsoft",
    users: ["ada@outlook.com", "bob@outlook.com"].map((email) => ({ email, name: "Ada" })),
    toSettings: ({ url }) => ({ PROVIDER_MICROSOFT_ISSUER: `${url}/common/v2.0` }),
  },
  {
    service: "github",
    users: ["ada", "bob"].map((login) => ({
      ...{ login, name: "Ada", email: `${login}@github.example` },
    })),
    toSettings: ({ url }) => ({
      PROVIDER_GITHUB_AUTHORIZE_URL: `${url}/login/oauth/authorize`,
      PROVIDER_GITHUB_TOKEN_URL: `${url}/login/oauth/access_token`,
      PROVIDER_GITHUB_API_URL: url,
    }),
  },
];

interface Emulated {
  service: ServiceName;
  /** What its page calls an account is the address. */
  users: { email: string }[];
  /** Its variables beside the client's. */
  toSettings(provider: EmulatedProvider): Record<string, string>;
}

// A provider tells them apart by nothing.
const runtimes = [inProcessRuntime, ...(isLongRun ? [createWorkersRuntime()] : [])];

for (const runtime of runtimes) {
  describe(`emulated providers and the sign-in server on ${runtime.name}`, () => {
    for (const emulated of EMULATED) {
      it(`${emulated.service}: signs in, keeps, links and disconnects`, async () => {
        const { service, users, toSettings } = emulated;
        const prefix = `PROVIDER_${service.toUpperCase()}`;
        await using place = await openPlace(runtime, service, service, users, (provider) => ({
          ...WITHOUT_PAIR,
          PROVIDERS: service,
          [`${prefix}_CLIENT_ID`]: provider.clientId,
          [`${prefix}_CLIENT_SECRET`]: provider.clientSecret,
          ...toSettings(provider),
        }));
        await journey(place, service, users);
      });
    }

    it("by the specified variables: signs in, keeps, links and disconnects", async () => {
      const [{ users }] = EMULATED as [Emulated];
      // Lists client_secret_basic, and refuses it.
      const tokenAuth = { OIDC_PROVIDER_TOKEN_AUTH: "post" };
      await using place = await openPlace(runtime, "google", "google", users, (provider) => ({
        ...toPair(provider),
        ...tokenAuth,
      }));
      await journey(place, "google", users);
    });
  });
}

it("google as emulated refuses the basic authentication that it lists: 502, and the log says invalid_client", async () => {
  const [{ users }] = EMULATED as [Emulated];
  await using place = await openPlace(nodeRuntime, "google", "google", users, toPair);
  const answer = await openCallback(place, "google", users[0]?.email ?? "");
  assertRefused(answer, 502, "provider_error");
  await until("The line of the log", () => /invalid_client/.test(place.harness.signin.output()));
});

const WITHOUT_PAIR = {
  OIDC_PROVIDER_CLIENT_ID: "",
  OIDC_PROVIDER_CLIENT_SECRET: "",
  OAUTH_PROVIDER_CLIENT_ID: "",
  OAUTH_PROVIDER_CLIENT_SECRET: "",
};

function toPair({ url, clientId, clientSecret }: EmulatedProvider): Record<string, string> {
  return {
    OIDC_PROVIDER_ISSUER: url,
    OIDC_PROVIDER_CLIENT_ID: clientId,
    OIDC_PROVIDER_CLIENT_SECRET: clientSecret,
  };
}

interface Place {
  harness: SigninHarness;
  provider: EmulatedProvider;
}

async function openPlace(
  runtime: SigninRuntime,
  service: ServiceName,
  slug: string,
  users: Emulated["users"],
  toSettings: (provider: EmulatedProvider) => Record<string, string>,
): Promise<Place & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${port}/auth/${slug}/callback`];
  const provider = stack.use(await startEmulatedProvider(service, { users, redirectUris }));
  const variables = { SIGNIN_PORT: String(port), ...toSettings(provider) };
  const harness = stack.use(await SigninHarness.open(runtime, variables));
  const held = stack.move();
  return { harness, provider, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** First and later sign-ins, refresh, logout, and a link to an account with a password and its end. */
async function journey(place: Place, slug: string, users: Emulated["users"]) {
  const { harness } = place;
  const [first = "", second = ""] = users.map(({ email }) => email);
  const agent = harness.agent();
  await signIn(place, slug, first, agent);
  const tokens = await harness.refreshByCookie(agent);
  assert.equal(tokens.user.email, first);
  const headers = { Origin: harness.signin.baseUrl };
  const left = await agent.ask("/auth/logout", { method: "POST", headers });
  assert.equal(left.status, 204, left.text);
  assert.equal((await harness.me(tokens.access_token)).status, 401);
  const again = harness.agent();
  assert.equal((await openCallback(place, slug, first, again)).location?.search, "?auth=success");
  assert.equal((await harness.refreshByCookie(again)).user.id, tokens.user.id);
  await linkAndDisconnect(place, slug, second);
}

/** With the code for an address that proves nothing. */
async function signIn(place: Place, slug: string, email: string, agent: UserAgent): Promise<void> {
  const { harness } = place;
  const answer = await openCallback(place, slug, email, agent);
  assert.equal(answer.status, 302, answer.text + harness.signin.output());
  if (answer.location?.hash !== "#finish") return;
  assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
  const body = { email, code: await harness.mailbox.codeFor(email) };
  const headers = { Origin: harness.signin.baseUrl };
  const made = await agent.post("/auth/signup/complete", body, { headers });
  assert.equal(made.status, 200, made.text);
}

async function openCallback(
  place: Place,
  slug: string,
  account: string,
  agent = place.harness.agent(),
): Promise<Answer> {
  return follow(place, await place.harness.begin(agent, slug), account, agent);
}

/** The person chooses an account; the browser brings or posts the callback. */
async function follow(
  { provider }: Place,
  authorizationUrl: string | URL,
  account: string,
  agent: UserAgent,
): Promise<Answer> {
  const { url, form } = await provider.choose(authorizationUrl, account);
  const headers = { Accept: "application/json" };
  if (!form) return agent.get(url, { headers });
  const posted = await agent.ask(url, {
    method: "POST",
    headers: {
      Origin: new URL(authorizationUrl).origin,
      "Content-Type": "application/x-www-form-urlencoded",
    },
    body: form.toString(),
  });
  assert.equal(posted.status, 303, posted.text);
  assert.ok(posted.location);
  return agent.get(posted.location, { headers });
}

async function linkAndDisconnect(place: Place, slug: string, account: string): Promise<void> {
  const { harness } = place;
  const agent = harness.agent();
  const { access_token: bearer } = await harness.signUp(agent);
  const begun = await agent.get(`/auth/${slug}/login?mode=link`, { bearer });
  const linked = await follow(place, begun.json<{ url: string }>().url, account, agent);
  assert.equal(linked.status, 302, linked.text);
  const connected = async () =>
    (await harness.me(bearer)).json<{ connected_providers: string[] }>().connected_providers;
  assert.deepEqual(await connected(), [slug]);
  const gone = await agent.ask(`/auth/${slug}/disconnect`, { method: "DELETE", bearer });
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(await connected(), []);
}
