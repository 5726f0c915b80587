/** Where a session is kept between two runs. */
export interface SessionStore {
  load(): Promise<string | undefined>;
  /** Resolves once the token is durable. */
  save(refreshToken: string): Promise<void>;
  clear(): Promise<void>;
}

/** The result of a sign-in or a refresh. */
export interface SessionTokens {
  accessToken: string;
  /** Milliseconds since the epoch. */
  accessExpiresAt: number;
  /** Undefined if a cookie of the browser has it. */
  refreshToken: string | undefined;
}

type Access = Pick<SessionTokens, "accessToken" | "accessExpiresAt">;

interface SessionKeeperDeps {
  store: SessionStore;
  /** Exchanges the token of the store; undefined if nothing is stored. */
  refresh(refreshToken: string | undefined): Promise<SessionTokens | undefined>;
  /** Runs work while no other of this session runs. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result>;
  now(): number;
  /** How long before its end an access token counts as expired. */
  marginMs: number;
}

/**
 * One session at the sign-in server: its access token in memory, its refresh token in a store. A new refresh token is durable
 * before its access token is used, and two refreshes with one token never run at once: that would look like theft.
 */
export class SessionKeeper {
  readonly #deps: SessionKeeperDeps;
  #access: Access | undefined;

  constructor(deps: SessionKeeperDeps) {
    this.#deps = deps;
  }

  /** Runs work while nothing else changes the session; `usableAccess` and the others are called in it. */
  exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#deps.exclusive(work);
  }

  get hasAccess(): boolean {
    return this.#access !== undefined;
  }

  /** The access token, unless it expires soon. */
  get freshAccess(): Access | undefined {
    const soon = this.#deps.now() + this.#deps.marginMs;
    return this.#access && this.#access.accessExpiresAt > soon ? this.#access : undefined;
  }

  /** An access token that does not expire soon; undefined without a session. */
  async usableAccess(): Promise<Access | undefined> {
    return this.freshAccess ?? this.refresh();
  }

  /** A new access token; undefined without a session. */
  async refresh(): Promise<Access | undefined> {
    const tokens = await this.#deps.refresh(await this.#deps.store.load());
    return tokens && this.keep(tokens);
  }

  async keep({ accessToken, accessExpiresAt, refreshToken }: SessionTokens): Promise<Access> {
    if (refreshToken !== undefined) await this.#deps.store.save(refreshToken);
    this.#access = { accessToken, accessExpiresAt };
    return this.#access;
  }

  async forget(): Promise<void> {
    this.#access = undefined;
    await this.#deps.store.clear();
  }
}

/** Work in order of arrival, one at a time. */
export function oneAtATime() {
  let turn: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };
}

/** Sends what may be repeated, and once more where its answer was lost. */
export async function sendOnceMore<Answer>(
  send: () => Promise<Answer>,
  isLost: (error: unknown) => boolean,
): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    if (!isLost(error)) throw error;
  }
  return send();
}
