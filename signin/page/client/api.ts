/** The server's error message, for the user. */
export class Refusal extends Error {
  override name = "Refusal";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** What a sign-in answers. */
export interface Tokens {
  access_token: string;
  refresh_token?: string;
}

/** Ends an action: shows a sentence, and the account again. */
export type Act = (work: () => Promise<string>) => Promise<void>;

// A sign-in by password has no cookie: its refresh token stays in this tab until the tab closes.
const STORED = "signin.refresh_token";
const UNREACHABLE = "The server cannot be reached. Please try again.";

/** The user's session: the access token in memory, refreshed once when it expires. */
export class Session {
  #accessToken: string | undefined;
  #refreshing: Promise<boolean> | undefined;

  get isOpen(): boolean {
    return this.#accessToken !== undefined;
  }

  /** Restores a session of this browser: of this tab, or by cookie. */
  async resume(): Promise<boolean> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** After a browser sign-in: uses its cookie, and drops the tab's former token. */
  forgetTab(): void {
    sessionStorage.removeItem(STORED);
  }

  begin({ access_token, refresh_token }: Tokens): void {
    if (refresh_token !== undefined) sessionStorage.setItem(STORED, refresh_token);
    this.#accessToken = access_token;
  }

  /** @throws Refusal */
  async logOut(): Promise<void> {
    await this.call("POST", "/auth/logout", { scope: "local" });
    this.end();
  }

  end(): void {
    this.forgetTab();
    this.#accessToken = undefined;
  }

  /** A call with the session's token, where there is one. @throws Refusal */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      return await send<Answer>({ method, path, body, token: this.#accessToken });
    } catch (error) {
      const isStale = error instanceof Refusal && error.status === 401 && this.#accessToken;
      if (!isStale || !(await this.resume())) throw error;
      return send<Answer>({ method, path, body, token: this.#accessToken });
    }
  }

  async #refresh(): Promise<boolean> {
    const stored = sessionStorage.getItem(STORED);
    try {
      const path = "/auth/refresh";
      const tokens = await (stored === null
        ? send<Tokens>({ method: "POST", path })
        : // Without cookies: the server takes one of the two, never both.
          send<Tokens>({
            method: "POST",
            path,
            body: { refresh_token: stored },
            credentials: "omit",
          }));
      this.begin(tokens);
      return true;
    } catch (error) {
      // Only a response of the server ends a session; a network failure does not.
      if (!(error instanceof Refusal) || error.status >= 500 || error.status === 429) throw error;
      this.end();
      return false;
    }
  }
}

interface Outgoing {
  method: string;
  path: string;
  body?: unknown;
  token?: string | undefined;
  credentials?: RequestCredentials;
}

async function send<Answer>({ method, path, body, token, credentials }: Outgoing): Promise<Answer> {
  const headers = new Headers({ Accept: "application/json" });
  if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const response = await fetch(path, {
    method,
    headers,
    credentials: credentials ?? "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Refusal(0, UNREACHABLE);
  });
  // The type is the server's wire. A body that is no JSON counts as empty.
  const answer = (await response.json().catch(() => ({}))) as Answer & {
    error?: string;
    details?: string;
  };
  if (response.ok) return answer;
  const sentence = [answer.error ?? UNREACHABLE, answer.details].filter(Boolean).join(" ");
  throw new Refusal(response.status, sentence);
}
