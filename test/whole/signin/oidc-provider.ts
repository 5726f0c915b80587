import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { randomToken } from "../../../shared/random.ts";
import { closeServer, listenOnLoopback } from "../../support/fake-server.ts";

/** panva's OpenID provider on a loopback port: what an honest provider does, in an independent implementation. */
export interface HonestProvider extends AsyncDisposable {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /**
   * Plays the person: follows the authorization URL through the provider's login and consent forms, and returns the
   * callback URL that the browser would open next.
   */
  logIn(authorizationUrl: string, account: string): Promise<string>;
}

/** What the provider says of its accounts. */
export interface HonestProviderOptions {
  redirectUris: string[];
  /** Whether claims come from UserInfo alone rather than in the ID token. */
  claimsFromUserInfo?: boolean;
  emailVerified?: boolean;
}

const FORM_STEPS_MAX = 12;

export async function startHonestProvider(options: HonestProviderOptions): Promise<HonestProvider> {
  let callback: ((request: IncomingMessage, response: ServerResponse) => unknown) | undefined;
  const server = createServer((request, response) => callback?.(request, response));
  const issuer = await listenOnLoopback(server);
  const clientId = "honest-client";
  const clientSecret = `honest-${randomToken()}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: options.redirectUris,
        token_endpoint_auth_method: "client_secret_basic",
        response_types: ["code"],
        grant_types: ["authorization_code"],
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "picture"] },
    conformIdTokenClaims: options.claimsFromUserInfo ?? false,
    cookies: { keys: [randomToken()] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: `${id}@example.test`,
        email_verified: options.emailVerified ?? true,
        name: `Person ${id}`,
      }),
    }),
  });
  provider.proxy = true;
  callback = provider.callback();
  return {
    issuer,
    clientId,
    clientSecret,
    logIn: (url, account) => followForms(issuer, url, account),
    [Symbol.asyncDispose]: () => closeServer(server),
  };
}

async function followForms(issuer: string, start: string, account: string): Promise<string> {
  const cookies = new Map<string, string>();
  let next: { url: string; form?: URLSearchParams } = { url: start };
  for (let step = 0; step < FORM_STEPS_MAX; step += 1) {
    const response: Response = await fetch(next.url, {
      method: next.form ? "POST" : "GET",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      redirect: "manual",
      ...(next.form ? { body: next.form } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) cookies.set(name, value);
      else cookies.delete(name);
    }
    const location = response.headers.get("location");
    if (location) {
      const url = new URL(location, next.url).href;
      if (!url.startsWith(issuer)) return url;
      next = { url };
      continue;
    }
    next = nextForm(await response.text(), next.url, account);
  }
  throw new Error("The provider did not come to an end.");
}

function nextForm(html: string, base: string, account: string) {
  const action = /<form[^>]*action="([^"]+)"/.exec(html)?.[1];
  if (!action) throw new Error("The provider showed a page without a form.");
  const isLogin = html.includes('name="login"');
  const form = new URLSearchParams(
    isLogin ? { prompt: "login", login: account, password: "any" } : { prompt: "consent" },
  );
  return { url: new URL(action, base).href, form };
}
