import { Batch } from "../../shared/batch.ts";
import { toBase64Url } from "../../shared/bytes.ts";
import { toStoredAddress } from "../audit/address.ts";
import type { Condition } from "../db/condition.ts";
import type { SessionRow } from "../db/schema.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { USER_AGENT_CHARACTERS_MAX } from "../limits.ts";
import { ACCESS_TOKEN_LIFETIME_SEC } from "../public-limits.ts";
import type { Authentication } from "./access-token.ts";
import { encodeRefreshToken, type RefreshClaims } from "./refresh-token.ts";
import {
  insertSessionStatement,
  revokeOldestStatement,
  selectUserStatement,
} from "./session-store.ts";
import { AccountUser, type TokenResponse } from "./wire.ts";

export type IssueDeps = Pick<
  Scope,
  "db" | "config" | "clock" | "random" | "keyring" | "accessTokens" | "client" | "record"
>;

/** Whose session begins, and how. */
interface SessionInput {
  /** A new one by default. */
  id?: string;
  userId: string;
  kind: SessionRow["kind"];
  /** The provider of the identity, or the passkey, that begins it. */
  provider?: string | null;
  passkeyId?: string | null;
  /** The second factor that it proved. */
  factor?: "code" | "recovery" | undefined;
}

/** A session that begins in a batch of the caller. Its functions are for the time after the batch. */
interface NewSession {
  id: string;
  /** Whether its condition held. */
  isInserted(): boolean;
  /** @throws SigninError `session_expired` if it was not inserted */
  toTokenResponse(): Promise<TokenResponse>;
  /** The refresh token alone, for the cookie of a browser. @throws SigninError as above */
  toRefreshResponse(): Promise<RefreshResponse>;
}

type RefreshResponse = Pick<TokenResponse, "refresh_token" | "refresh_expires_in">;

const SESSION_ID_BYTES = 16;

/** Adds a session to a batch. The statement that inserts it checks `condition`. The user's oldest sessions beyond the limit end. */
export function addSession(
  deps: IssueDeps,
  batch: Batch,
  input: SessionInput,
  condition?: Condition,
): NewSession {
  const { id = newSessionId(deps), userId, kind, provider = null, passkeyId = null } = input;
  const { config, clock, client } = deps;
  const now = unixNow(clock);
  const expiresAt = now + config.session.absoluteSec;
  const idleExpiresAt = Math.min(expiresAt, now + config.session.idleSec);
  const row = {
    id,
    userId,
    kind,
    provider,
    passkeyId,
    amr: toAmr(input),
    hasFactor: input.factor !== undefined,
    createdAt: now,
    idleExpiresAt,
    expiresAt,
    ipPrefix: toStoredAddress(client.address, { full: config.auditFullIp }),
    userAgent: client.userAgent.slice(0, USER_AGENT_CHARACTERS_MAX) || null,
  };
  const inserted = batch.add(insertSessionStatement(row, condition));
  batch.add(revokeOldestStatement(userId, now));
  const selected = batch.add(selectUserStatement(userId));
  const isInserted = () => inserted().length > 0;
  const begin = () => {
    if (!isInserted()) throw failure("session_expired");
    const event = { type: "session.created", outcome: "success" } as const;
    deps.record({ ...event, userId, sessionId: id, detail: { kind } });
    return { sessionId: id, userId, counter: 0, idleExpiresAt, amr: row.amr, authTime: now };
  };
  return {
    id,
    isInserted,
    toTokenResponse: () => toTokenResponse(deps, { ...begin(), user: String(selected()[0]?.user) }),
    toRefreshResponse: () => toRefreshResponse(deps, begin()),
  };
}

const FACTOR_METHODS = { code: ["otp", "mfa"], recovery: ["mfa"] } as const;

// RFC 8176 has no value for a mailed code or a provider. A passkey gets none: services read `mfa` as this server's second factor.
function toAmr({ kind, factor }: SessionInput): string | null {
  const methods = [
    ...(kind === "password" ? ["pwd"] : []),
    ...(factor ? FACTOR_METHODS[factor] : []),
  ];
  return methods.join(" ") || null;
}

/** For callers whose own statement names the session. */
export function newSessionId({ random }: Pick<Scope, "random">): string {
  return toBase64Url(random(SESSION_ID_BYTES));
}

/** Begins the session of a browser. A refresh makes its first access token. */
export async function issueRefreshToken(
  deps: IssueDeps,
  account: { userId: string; provider: string },
): Promise<RefreshResponse & { sessionId: string }> {
  const batch = new Batch();
  const session = addSession(deps, batch, { ...account, kind: "browser" });
  await batch.run(deps.db);
  return { ...(await session.toRefreshResponse()), sessionId: session.id };
}

/** A session at one of its generations. */
interface Generation extends RefreshClaims, Authentication {
  idleExpiresAt: number;
}

/** The tokens of a session at one of its generations, and its user, who is given as JSON. */
export async function toTokenResponse(
  deps: Pick<Scope, "accessTokens" | "keyring" | "clock">,
  session: Generation & { userId: string; user: string },
): Promise<TokenResponse> {
  const [accessToken, refresh] = await Promise.all([
    deps.accessTokens.issue(session),
    toRefreshResponse(deps, session),
  ]);
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    ...refresh,
    user: AccountUser.parse(JSON.parse(session.user)),
  };
}

async function toRefreshResponse(
  { keyring, clock }: Pick<Scope, "keyring" | "clock">,
  { sessionId, counter, idleExpiresAt }: Omit<Generation, keyof Authentication>,
): Promise<RefreshResponse> {
  const macs = await keyring.macs("refresh-token");
  return {
    refresh_token: await encodeRefreshToken(macs, { sessionId, counter }),
    refresh_expires_in: idleExpiresAt - unixNow(clock),
  };
}
