import { reasonOf } from "../../shared/client/failure.ts";
import { toCamelCase } from "../../shared/client/names.ts";
import type { Operation } from "../../shared/client/operation.ts";
import { type ClientRequest, describeRequest } from "../../shared/client/request.ts";
import {
  oneAtATime,
  SessionKeeper,
  type SessionTokens,
  sendOnceMore,
} from "../../shared/client/session-keeper.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { SigninError, toSigninError } from "./errors.ts";
import { OPERATIONS } from "./operations.generated.ts";
import { createMemoryStorage, type SigninStorage, storeOf } from "./storage.ts";

/** Which server, and where its session is kept. */
export interface SigninClientOptions {
  /** The server's `APP_BASE_URL`. */
  baseUrl: string;
  /** Keeps the session over reloads; tabs with one `localStorage` share it. By default it ends with the client. */
  storage?: SigninStorage | undefined;
  /** The key in the storage; by default one for each server. */
  storageKey?: string | undefined;
  /** Whether the cookie of a browser sign-in counts if no session is stored. */
  cookie?: boolean | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** An answer that begins or renews a session. */
interface TokenFields {
  accessToken: string;
  expiresIn: number;
  refreshToken?: string;
}

const LOGOUT = OPERATIONS.logoutSession.to;
const DELETION = OPERATIONS.deleteMe.to;
const REFRESH = OPERATIONS.refreshSession.to;

/** The server, and the session of one client with it. */
export class SigninServer {
  readonly #options: SigninClientOptions;
  readonly #baseUrl: string;
  readonly #session: SessionKeeper;

  constructor(options: SigninClientOptions) {
    this.#options = options;
    this.#baseUrl = withoutTrailing(options.baseUrl, "/");
    const { storage = createMemoryStorage(), storageKey } = options;
    const key = storageKey ?? `roundhouse.session ${this.#baseUrl}`;
    this.#session = new SessionKeeper({
      store: storeOf(storage, key),
      refresh: (refreshToken) => this.#refresh(refreshToken),
      exclusive: exclusiveOver(key),
      now: Date.now,
      marginMs: ACCESS_TOKEN_MARGIN_MS,
    });
  }

  /** Runs an operation with the arguments of its method. */
  async call(operation: Operation, args: readonly unknown[]): Promise<unknown> {
    const request = describeRequest(operation, args);
    if (operation.to === REFRESH && request.body === undefined) return this.#refreshNow();
    const answer = await this.#send(request, operation.traits.includes("session"));
    if (operation.traits.includes("bytes")) return answer.blob();
    const text = await answer.text();
    const value = text === "" ? undefined : JSON.parse(text);
    const named = operation.traits.includes("snakeAnswer") ? toCamelCase(value) : value;
    if (isTokens(named)) await this.keep(named);
    if (endsSession(operation, args)) await this.forget();
    return named;
  }

  /** Sends a request as it is, with the session or without. @throws SigninError */
  async request(request: ClientRequest, hasSession: boolean): Promise<unknown> {
    const text = await (await this.#send(request, hasSession)).text();
    return text === "" ? {} : JSON.parse(text);
  }

  /** Whether the last refresh did not end the session. */
  get hasAccess(): boolean {
    return this.#session.hasAccess;
  }

  /** Begins the session of a sign-in. */
  async keep(tokens: TokenFields): Promise<void> {
    await this.#session.exclusive(() => this.#session.keep(toTokens(tokens)));
  }

  /** An access token that does not expire soon; undefined without a session. */
  async accessToken(): Promise<string | undefined> {
    const { freshAccess } = this.#session;
    if (freshAccess) return freshAccess.accessToken;
    const access = await this.#session.exclusive(() => this.#session.usableAccess());
    return access?.accessToken;
  }

  forget(): Promise<void> {
    return this.#session.exclusive(() => this.#session.forget());
  }

  /** A token that expired early, as its session was changed, is renewed once. */
  async #send(request: ClientRequest, hasSession: boolean): Promise<Response> {
    const token = hasSession ? await this.accessToken() : undefined;
    const response = await this.#fetch(request, token);
    if (response.ok) return response;
    if (response.status !== 401 || token === undefined) throw await toSigninError(response);
    const renewed = await this.#session.exclusive(async () => {
      const { freshAccess } = this.#session;
      // Another call may have renewed it meanwhile.
      return freshAccess && freshAccess.accessToken !== token
        ? freshAccess
        : this.#session.refresh();
    });
    if (!renewed) throw await toSigninError(response);
    const again = await this.#fetch(request, renewed.accessToken);
    if (again.ok) return again;
    throw await toSigninError(again);
  }

  async #refreshNow(): Promise<unknown> {
    const access = await this.#session.exclusive(() => this.#session.refresh());
    if (!access) throw new SigninError("There is no session. Sign in.", { status: 401 });
    return { accessToken: access.accessToken };
  }

  /** @throws SigninError if the server does not answer, or not with tokens or a 4xx: then the session stays */
  async #refresh(refreshToken: string | undefined): Promise<SessionTokens | undefined> {
    if (refreshToken === undefined && !this.#options.cookie) return undefined;
    const body = refreshToken && JSON.stringify({ refresh_token: refreshToken });
    const [method = "", path = ""] = REFRESH.split(" ");
    const send = async () => {
      const response = await this.#fetch({ method, path, body }, undefined);
      // The body is a part of what can be lost.
      const text = await response.clone().text().catch(lost);
      return { response, text };
    };
    const { response, text } = await sendOnceMore(send, isLost);
    if (response.ok) return toTokens(toCamelCase(JSON.parse(text)) as TokenFields);
    const error = await toSigninError(response);
    if (response.status !== 401 && response.status !== 400) throw error;
    await this.#session.forget();
    return undefined;
  }

  async #fetch({ method, path, body, signal }: ClientRequest, token: string | undefined) {
    const headers = new Headers({ Accept: "application/json" });
    if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
    if (body !== undefined) headers.set("Content-Type", "application/json");
    // A refresh takes a token or a cookie, never both.
    const isByCookie = this.#options.cookie && !body?.includes('"refresh_token"');
    const init: RequestInit = {
      method,
      headers,
      body: body ?? null,
      signal: signal ?? null,
      credentials: isByCookie ? "include" : "omit",
      // The one way not to follow a redirect that Workers have, too.
      redirect: "manual",
    };
    const fetch = this.#options.fetch ?? globalThis.fetch;
    return fetch(`${this.#baseUrl}${path}`, init).catch((error: unknown) => {
      signal?.throwIfAborted();
      return lost(error);
    });
  }
}

function lost(cause: unknown): never {
  const message = `No response came from the sign-in server: ${reasonOf(cause)}.`;
  throw new SigninError(message, { status: 0, cause });
}

function isLost(error: unknown): boolean {
  return error instanceof SigninError && error.status === 0;
}

/** Whether an operation that succeeded has ended the session of its client. */
function endsSession({ to }: Operation, [input]: readonly unknown[]): boolean {
  return to === DELETION || (to === LOGOUT && Object(input).scope !== "others");
}

function isTokens(value: unknown): value is TokenFields {
  return typeof Object(value).accessToken === "string";
}

function toTokens({ accessToken, expiresIn, refreshToken }: TokenFields): SessionTokens {
  return { accessToken, accessExpiresAt: Date.now() + expiresIn * 1000, refreshToken };
}

/** One at a time over all tabs of an origin, if the browser has locks; else in this client. */
function exclusiveOver(name: string) {
  const here = oneAtATime();
  const locks = globalThis.navigator?.locks;
  return <Result>(work: () => Promise<Result>): Promise<Result> =>
    // A lock gives what its work gives; the platform's type wraps it once more.
    here(() => (locks ? (locks.request(name, work) as Promise<Result>) : work()));
}

/** How long before its end an access token is refreshed. */
const ACCESS_TOKEN_MARGIN_MS = 30_000;
