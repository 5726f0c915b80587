import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before } from "node:test";
import { type AdversarialProvider, startAdversarialProvider } from "./adversarial-provider.ts";
import { type GithubFake, startGithubFake } from "./github.ts";
import { type Mailbox, startMailbox } from "./mail.ts";
import { KEYS, type RunningSignin, type SigninRuntime, type Variables } from "./runtimes.ts";
import { type Answer, type Ask, UserAgent } from "./user-agent.ts";

/** What a sign-in hands out (decisions, token answers). */
export interface Tokens {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  refresh_expires_in: number;
  user: { id: string; email: string; connected_providers: string[] };
}

export const PASSWORD = "correct horse battery 1984";
export const LOOPBACK = "http://127.0.0.1:49152/done";

/** A running server with its providers and its mail service, and the ways in which users use them. */
export class SigninHarness implements AsyncDisposable {
  readonly signin: RunningSignin;
  readonly oidc: AdversarialProvider;
  readonly github: GithubFake;
  readonly mailbox: Mailbox;
  /** All that must never be seen in a log. */
  readonly secrets: Set<string>;
  #users = 0;

  private constructor(parts: {
    signin: RunningSignin;
    oidc: AdversarialProvider;
    github: GithubFake;
    mailbox: Mailbox;
    secrets: Set<string>;
  }) {
    this.signin = parts.signin;
    this.oidc = parts.oidc;
    this.github = parts.github;
    this.mailbox = parts.mailbox;
    this.secrets = parts.secrets;
  }

  static async open(runtime: SigninRuntime, variables: Variables = {}): Promise<SigninHarness> {
    const secrets = new Set<string>([PASSWORD, KEYS.JWT_SECRET_KEY, KEYS.TOKEN_ENCRYPTION_KEY]);
    await using stack = new AsyncDisposableStack();
    const oidc = stack.use(await startAdversarialProvider());
    const github = stack.use(await startGithubFake());
    const mailbox = stack.use(await startMailbox(secrets));
    for (const secret of [oidc.clientSecret, github.clientSecret, mailbox.token]) {
      secrets.add(secret);
    }
    const signin = await runtime.boot({
      OIDC_PROVIDER_ISSUER: oidc.url,
      OIDC_PROVIDER_CLIENT_ID: oidc.clientId,
      OIDC_PROVIDER_CLIENT_SECRET: oidc.clientSecret,
      OAUTH_PROVIDER_AUTHORIZE_URL: `${github.url}/login/oauth/authorize`,
      OAUTH_PROVIDER_TOKEN_URL: `${github.url}/login/oauth/access_token`,
      OAUTH_PROVIDER_API_URL: github.url,
      OAUTH_PROVIDER_CLIENT_ID: github.clientId,
      OAUTH_PROVIDER_CLIENT_SECRET: github.clientSecret,
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: `${mailbox.url}/send`,
      MAIL_HTTP_TOKEN: mailbox.token,
      ...hubVariables(github),
      ...variables,
    });
    stack.move();
    return new SigninHarness({ signin, oidc, github, mailbox, secrets });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.signin[Symbol.asyncDispose]();
    await Promise.all(
      [this.oidc, this.github, this.mailbox].map((fake) => fake[Symbol.asyncDispose]()),
    );
  }

  agent(): UserAgent {
    return new UserAgent(this.signin.baseUrl, this.secrets);
  }

  /** A number that no other test has. */
  next(): number {
    this.#users += 1;
    return this.#users;
  }

  /** Makes the OpenID provider's person a new one, with an address of its own. */
  newOidcPerson(claims: Record<string, unknown> = {}): Record<string, unknown> {
    const number = this.next();
    this.oidc.person = {
      sub: `subject-${number}-${Math.random().toString(36).slice(2)}`,
      email: `oidc${number}@example.test`,
      email_verified: true,
      name: `Person ${number}`,
      ...claims,
    };
    return this.oidc.person;
  }

  newGithubPerson(emails?: GithubFake["emails"]): GithubFake["profile"] {
    const number = this.next();
    this.github.reset();
    this.github.profile = {
      ...this.github.profile,
      id: 1_000_000 + number,
      login: `octo${number}`,
    };
    this.github.emails = emails ?? [
      { email: `octo${number}@example.test`, verified: true, primary: true },
    ];
    return this.github.profile;
  }

  /** Begins a browser sign-in; where the provider's page would be opened. */
  async begin(agent: UserAgent, provider: string): Promise<URL> {
    const answer = await agent.get(`/auth/${provider}/login`);
    assert.equal(answer.status, 302, answer.text);
    assert.ok(answer.location);
    return answer.location;
  }

  /** The person agrees at the provider; the callback that the browser would open. */
  async consent(authorizationUrl: URL | string): Promise<URL> {
    const response = await fetch(authorizationUrl, { redirect: "manual" });
    const callback = new URL(response.headers.get("location") ?? "");
    for (const name of ["state", "code"]) {
      const value = callback.searchParams.get(name);
      if (value) this.secrets.add(value);
    }
    return callback;
  }

  /** A whole browser sign-in, up to the answer of the callback. */
  async signInByBrowser(agent: UserAgent, provider: string): Promise<Answer> {
    return agent.get(await this.consent(await this.begin(agent, provider)));
  }

  /** Signs a new person in by browser and gets an access token by the cookie. */
  async openBrowserSession(agent: UserAgent, provider = "google"): Promise<Tokens> {
    if (provider === "google") this.newOidcPerson();
    else this.newGithubPerson();
    const answer = await this.signInByBrowser(agent, provider);
    assert.equal(answer.status, 302, answer.text);
    return this.refreshByCookie(agent);
  }

  async refreshByCookie(agent: UserAgent): Promise<Tokens> {
    const headers = { Origin: this.signin.baseUrl };
    const answer = await agent.ask("/auth/refresh", { method: "POST", headers });
    assert.equal(answer.status, 200, answer.text);
    return answer.json<Tokens>();
  }

  /** Begins a native sign-in; the challenge of `verifier`. */
  async beginNative(
    agent: UserAgent,
    provider: string,
    options: { verifier: string; redirectTo?: string },
  ): Promise<{ url: string; state: string }> {
    const query = new URLSearchParams({
      native: "true",
      redirect_to: options.redirectTo ?? LOOPBACK,
      code_challenge: challengeOf(options.verifier),
      code_challenge_method: "S256",
    });
    const answer = await agent.get(`/auth/${provider}/login?${query}`);
    assert.equal(answer.status, 200, answer.text);
    const begun = answer.json<{ url: string; state: string }>();
    this.secrets.add(begun.state);
    return begun;
  }

  /** A native sign-in up to the one-time code at the loopback address. */
  async nativeCode(verifier: string, provider = "google"): Promise<{ code: string; back: URL }> {
    if (provider === "google") this.newOidcPerson();
    else this.newGithubPerson();
    const { url } = await this.beginNative(this.agent(), provider, { verifier });
    // The app opened the system browser, which has no cookie of ours.
    const answer = await this.agent().get(await this.consent(url));
    assert.equal(answer.status, 302, answer.text);
    const back = answer.location!;
    return { code: back.searchParams.get("code") ?? "", back };
  }

  exchange(code: string, verifier: string, agent = this.agent()): Promise<Answer> {
    return agent.post("/auth/native/token", { code, code_verifier: verifier });
  }

  async openNativeSession(provider = "google"): Promise<Tokens> {
    const verifier = newVerifier();
    const { code } = await this.nativeCode(verifier, provider);
    const answer = await this.exchange(code, verifier);
    assert.equal(answer.status, 200, answer.text);
    return answer.json<Tokens>();
  }

  /** Signs a new person up with a password. */
  async signUp(
    agent = this.agent(),
    email = `person${this.next()}@example.test`,
  ): Promise<Tokens & { email: string }> {
    const asked = await agent.post("/auth/signup/code", { email });
    assert.equal(asked.status, 200, asked.text);
    const code = await this.mailbox.codeFor(email);
    const answer = await agent.post("/auth/signup/complete", { email, code, password: PASSWORD });
    assert.equal(answer.status, 200, answer.text);
    return { ...answer.json<Tokens>(), email };
  }

  refresh(token: string, ask: Ask & { agent?: UserAgent } = {}): Promise<Answer> {
    const { agent = this.agent(), ...rest } = ask;
    return agent.post("/auth/refresh", { refresh_token: token }, rest);
  }

  me(accessToken: string): Promise<Answer> {
    return this.agent().get("/auth/me", { bearer: accessToken });
  }

  async count(table: string, where = "1", args: (string | number)[] = []): Promise<number> {
    const [row] = await this.signin.sql(`SELECT count(*) AS n FROM ${table} WHERE ${where}`, args);
    return Number(row?.n);
  }
}

export function newVerifier(): string {
  return randomBytes(32).toString("base64url");
}

export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier, "ascii").digest("base64url");
}

/** A generic provider at the same place, for servers whose `PROVIDERS` names it: its addresses prove nothing. */
function hubVariables({ url, clientId, hubSecret }: GithubFake): Variables {
  return {
    PROVIDER_HUB_KIND: "oauth",
    PROVIDER_HUB_CLIENT_ID: clientId,
    PROVIDER_HUB_CLIENT_SECRET: hubSecret,
    PROVIDER_HUB_AUTHORIZE_URL: `${url}/login/oauth/authorize`,
    PROVIDER_HUB_TOKEN_URL: `${url}/login/oauth/access_token`,
    PROVIDER_HUB_API_URL: `${url}/user`,
  };
}

/** Opens a server for all tests of a suite; it closes with them. Addresses of other domains need an invitation. */
export function sharedHarness(runtime: SigninRuntime): () => SigninHarness {
  let opened: SigninHarness | undefined;
  before(async () => {
    opened = await SigninHarness.open(runtime, {
      SIGNUP_ALLOWED_DOMAINS: "example.test",
      PROVIDERS: "hub",
    });
  });
  after(() => opened?.[Symbol.asyncDispose]());
  return () => {
    if (!opened) throw new Error("The server did not start.");
    return opened;
  };
}
