import {
  oneAtATime,
  SessionKeeper,
  type SessionStore,
} from "../../shared/client/session-keeper.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Logger } from "../../shared/log.ts";
import { accountServerFailed, EngineError } from "../errors.ts";
import { ACCESS_TOKEN_MARGIN_MS } from "../limits.ts";
import type { AccountServerClient, AccountTokens } from "./account-server.ts";
import { type AccountSession, LOGGED_OUT } from "./wire.ts";

interface SessionDeps {
  server: AccountServerClient;
  saved: SessionStore;
  clock: Clock;
  log: Logger;
}

type Access = Omit<AccountTokens, "refreshToken" | "user">;

const SESSION_ENDED = "Your session has ended. Sign in again.";

/**
 * The account of this engine: one saved refresh token, one refresh at a time. A new refresh token is persisted
 * before its access token is used, and credentials are cleared only by a logout or by the server's own 401.
 */
export class AccountSessions {
  readonly #deps: SessionDeps;
  readonly #session: SessionKeeper;

  constructor(deps: SessionDeps) {
    this.#deps = deps;
    const oneByOne = oneAtATime();
    this.#session = new SessionKeeper({
      store: deps.saved,
      refresh: async (refreshToken) =>
        refreshToken === undefined ? undefined : deps.server.refresh(refreshToken),
      exclusive: (work) => oneByOne(work).catch(withErrorBody),
      now: () => deps.clock.now(),
      marginMs: ACCESS_TOKEN_MARGIN_MS,
    });
  }

  /** The signed-in user. An expired or rejected session is logged out (Engine §4); an outage throws. */
  restore(): Promise<AccountSession> {
    return this.#session.exclusive(async () => {
      try {
        const access = await this.#session.usableAccess();
        return access ? { authenticated: true, user: await this.#getUser(access) } : LOGGED_OUT;
      } catch (error) {
        if (!isRejection(error)) throw error;
        await this.#session.forget();
        return { ...LOGGED_OUT, notice: SESSION_ENDED };
      }
    });
  }

  /** Begins the session whose tokens `signIn` gets. */
  begin(signIn: (server: AccountServerClient) => Promise<AccountTokens>): Promise<AccountSession> {
    return this.#session.exclusive(async () => this.#keep(await signIn(this.#deps.server)));
  }

  /** Deletes the local credentials first, so that a failing server cannot keep them (Engine §4). */
  logOut(): Promise<AccountSession> {
    return this.#session.exclusive(async () => {
      const access = this.#session.freshAccess;
      const refreshToken = await this.#deps.saved.load().catch(() => undefined);
      await this.#session.forget();
      await this.#revoke(access, refreshToken);
      return LOGGED_OUT;
    });
  }

  async #keep(tokens: AccountTokens): Promise<AccountSession> {
    const access = await this.#session.keep(tokens);
    try {
      const user = tokens.user ?? (await this.#deps.server.getUser(access.accessToken));
      return { authenticated: true, user };
    } catch (error) {
      // A failed sign-in leaves no session.
      await this.#session.forget();
      await this.#revoke(access, tokens.refreshToken);
      throw error;
    }
  }

  /** A revoked session rejects its access token early: only a rejected refresh ends the session. */
  async #getUser(access: Access) {
    try {
      return await this.#deps.server.getUser(access.accessToken);
    } catch (error) {
      if (!isRejection(error)) throw error;
      const renewed = await this.#session.refresh();
      if (!renewed) throw error;
      return this.#deps.server.getUser(renewed.accessToken);
    }
  }

  /** Best effort: the local session is gone even if the server is unreachable. */
  async #revoke(access: Access | undefined, refreshToken: string | undefined): Promise<void> {
    const { server, log } = this.#deps;
    try {
      const usable = access ?? (refreshToken && (await server.refresh(refreshToken)));
      if (usable) await server.logout(usable.accessToken);
    } catch (error) {
      log.warn({ error }, "The logout request to the account server failed.");
    }
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof EngineError && error.code === "cloud" && error.status === 401;
}

/** The account endpoints return Error bodies only, for a failing secure store too (Engine §4). */
function withErrorBody(error: unknown): never {
  if (error instanceof EngineError && error.code === "credential_store") {
    throw accountServerFailed(error.message, { status: 503, cause: error });
  }
  throw error;
}
