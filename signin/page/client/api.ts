import { SigninError } from "../../client/errors.ts";
import { SigninServer } from "../../client/server.ts";
import type { ProofWay } from "../../errors.ts";
import type { AccessResponse, TokenResponse } from "../../tokens/wire.ts";
import { duration, say, texts } from "./words.ts";

/** Why something was refused, for the user. */
export class Refusal extends Error {
  override name = "Refusal";
  /** The code of the server, and the field that its details name. */
  readonly code: string | undefined;
  readonly field: string | undefined;
  readonly retryAfterSec: number | undefined;
  /** How the account can be proven, where that is asked for. */
  readonly ways: readonly ProofWay[];

  constructor(
    message: string,
    reason: Partial<Pick<SigninError, "code" | "details" | "retryAfterSec" | "ways">> = {},
  ) {
    super(message);
    this.code = reason.code;
    this.field = /^[a-z_]+(?=: )/.exec(reason.details ?? "")?.[0];
    this.retryAfterSec = reason.retryAfterSec;
    // The names are the server's.
    this.ways = (reason.ways ?? []) as readonly ProofWay[];
  }
}

/** What a sign-in answers; one by passkey has its refresh token in the cookie. */
export type Tokens = AccessResponse & Partial<Pick<TokenResponse, "refresh_token">>;

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
  readonly #askForProof: (ways: readonly ProofWay[]) => Promise<boolean>;

  constructor(askForProof: (ways: readonly ProofWay[]) => Promise<boolean>) {
    this.#askForProof = askForProof;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Restores a session of this browser. @throws Refusal where the server does not answer */
  async resume(): Promise<boolean> {
    const token = await this.#server.accessToken().catch(refuse);
    this.#isOpen = token !== undefined;
    return this.#isOpen;
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

  /** @throws Refusal */
  async logOut(): Promise<void> {
    await this.call("POST", "/auth/logout", { scope: "local" });
    await this.end();
  }

  /** Drops a session that the server has ended. */
  async end(): Promise<void> {
    this.#isOpen = false;
    await this.#server.forget();
  }

  /**
   * A call with the session's token, where there is one. Where the server wants a fresh proof, the user is asked for it, and the
   * call is made again. @throws Refusal
   */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    try {
      return await this.#send<Answer>(method, path, body);
    } catch (error) {
      const isAsked = error instanceof Refusal && error.code === "reauthentication_required";
      if (!isAsked || !(await this.#askForProof(error.ways))) throw error;
      return this.#send<Answer>(method, path, body);
    }
  }

  async #send<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const request = { method, path, body: body === undefined ? undefined : JSON.stringify(body) };
    const hasSession = this.#isOpen;
    try {
      // The type is the server's wire.
      return (await this.#server.request(request, hasSession)) as Answer;
    } catch (error) {
      if (hasSession) this.#isOpen = this.#server.hasAccess;
      return refuse(error);
    }
  }
}

function refuse(error: unknown): never {
  if (!(error instanceof SigninError)) throw error;
  throw new Refusal(explain(error), error);
}

/** The failure in the reader's language. The server's own message is in English. */
function explain({ status, code = "", message, retryAfterSec }: SigninError): string {
  const known: Readonly<Record<string, string>> = texts.failures;
  if (retryAfterSec !== undefined) return say(texts.waitFor, { time: duration(retryAfterSec) });
  if (status === 0) return known.unreachable ?? message;
  return known[code] ?? message;
}

/** What went wrong, for the reader. */
export function toSentence(error: unknown): string {
  return error instanceof Refusal ? error.message : texts.somethingWrong;
}
