import { SigninError } from "../../client/errors.ts";
import { SigninServer } from "../../client/server.ts";
import type { ProofWay } from "../../errors.ts";
import type { AccessResponse, TokenResponse } from "../../tokens/wire.ts";

/** The tokens of a sign-in; one by passkey has its refresh token in the cookie. */
export type Tokens = AccessResponse & Partial<Pick<TokenResponse, "refresh_token">>;

type AskForProof = (ways: readonly ProofWay[]) => Promise<boolean>;

// A sign-in by password has no cookie: its refresh token stays in this tab until the tab closes.
const STORED = "signin.refresh_token";

/** The user's session, of this tab, or else by the cookie of the browser. */
export class Session {
  readonly #server = new SigninServer({
    baseUrl: location.origin,
    storage: sessionStorage,
    storageKey: STORED,
    cookie: true,
  });
  #isOpen = false;
  readonly #askForProof: AskForProof;

  constructor(askForProof: AskForProof) {
    this.#askForProof = askForProof;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Restores a session of this browser. @throws SigninError if the server sends no response */
  async resume(): Promise<void> {
    this.#isOpen = (await this.#server.accessToken()) !== undefined;
  }

  /** After a browser sign-in: uses its cookie, and drops the tab's former token. */
  forgetTab(): void {
    sessionStorage.removeItem(STORED);
  }

  begin({ access_token, expires_in, refresh_token }: Tokens): void {
    this.#isOpen = true;
    // Calls wait for it.
    void this.#server.keep({
      accessToken: access_token,
      expiresIn: expires_in,
      refreshToken: refresh_token,
    });
  }

  /** Drops a session that the server has ended. */
  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#server.forget();
  }

  /**
   * A call with the session's token, if there is one. If the server wants a fresh proof, the page asks the user for it and makes
   * the call again. @throws SigninError
   */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      return await this.#send<Answer>(method, path, body);
    } catch (error) {
      const isAsked = error instanceof SigninError && error.code === "reauthentication_required";
      // The names are the server's.
      const ways = isAsked ? ((error.ways ?? []) as readonly ProofWay[]) : [];
      if (!isAsked || !(await this.#askForProof(ways))) throw error;
      return this.#send<Answer>(method, path, body);
    }
  }

  async #send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const hasSession = this.#isOpen;
    try {
      // The type is the server's wire.
      return (await this.#server.request(
        { method, path, body: body === undefined ? undefined : JSON.stringify(body) },
        hasSession,
      )) as Answer;
    } catch (error) {
      if (hasSession) this.#isOpen = this.#server.hasAccess;
      throw error;
    }
  }
}
