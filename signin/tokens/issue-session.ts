import { toBase64Url } from "../../shared/bytes.ts";
import { toStoredAddress } from "../audit/address.ts";
import type { SessionRow } from "../db/schema.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import { ACCESS_TOKEN_LIFETIME_SEC, USER_AGENT_CHARACTERS_MAX } from "../limits.ts";
import { encodeRefreshToken } from "./refresh-token.ts";
import { insertSessionStatements, type SessionCondition } from "./session-store.ts";
import { AccountUser, type TokenAnswer } from "./wire.ts";

export type IssueDeps = Pick<
  Scope,
  "db" | "config" | "clock" | "random" | "keyring" | "accessTokens" | "client" | "record"
>;

type BatchResults = Awaited<ReturnType<Scope["db"]["$client"]["batch"]>>;

/** A session about to begin. The caller runs `statements`, alone or behind its own in one batch, then asks for the answer. */
export interface PreparedSession {
  id: string;
  statements: ReturnType<typeof insertSessionStatements>;
  /** @param results those of the batch whose last statements were `statements`. */
  toAnswer(results: BatchResults): Promise<TokenAnswer>;
}

const SESSION_ID_BYTES = 16;

/** `condition` is checked by the statement that inserts; where it does not hold, there is no session. */
export function prepareSession(
  deps: IssueDeps,
  { userId, kind }: { userId: string; kind: SessionRow["kind"] },
  condition?: SessionCondition,
): PreparedSession {
  const { config, clock, client } = deps;
  const id = toBase64Url(deps.random(SESSION_ID_BYTES));
  const now = unixNow(clock);
  const expiresAt = now + config.session.absoluteSec;
  const idleExpiresAt = Math.min(expiresAt, now + config.session.idleSec);
  const row = {
    id,
    userId,
    kind,
    createdAt: now,
    idleExpiresAt,
    expiresAt,
    ipPrefix: toStoredAddress(client.address, { full: config.auditFullIp }),
    userAgent: client.userAgent.slice(0, USER_AGENT_CHARACTERS_MAX) || null,
  };
  const statements = insertSessionStatements(row, condition);
  return {
    id,
    statements,
    async toAnswer(results) {
      const user = results.at(-1)?.rows[0]?.user;
      if (typeof user !== "string") throw failure("session_expired");
      deps.record({
        type: "session.created",
        outcome: "success",
        userId,
        sessionId: id,
        detail: { kind },
      });
      const session = { sessionId: id, userId, counter: 0, idleExpiresAt, user };
      return toTokenAnswer(deps, session);
    },
  };
}

/** Begins a session and answers its tokens. The oldest sessions beyond the limit end. */
export async function issueSession(
  deps: IssueDeps,
  input: { userId: string; kind: SessionRow["kind"] },
): Promise<TokenAnswer> {
  const session = prepareSession(deps, input);
  return session.toAnswer(await deps.db.$client.batch(session.statements, "write"));
}

/** As `issueSession`, but only where `condition` holds when the row is inserted; undefined otherwise. */
export async function issueSessionIf(
  deps: IssueDeps,
  input: { userId: string; kind: SessionRow["kind"] },
  condition: SessionCondition,
): Promise<TokenAnswer | undefined> {
  const session = prepareSession(deps, input, condition);
  const results = await deps.db.$client.batch(session.statements, "write");
  return results[0]?.rows.length ? session.toAnswer(results) : undefined;
}

/** The tokens of a session at one of its generations. */
export async function toTokenAnswer(
  { accessTokens, keyring, clock }: Pick<Scope, "accessTokens" | "keyring" | "clock">,
  session: {
    sessionId: string;
    userId: string;
    counter: number;
    idleExpiresAt: number;
    user: string;
  },
): Promise<TokenAnswer> {
  const { sessionId, userId, counter } = session;
  const [accessToken, refreshToken] = await Promise.all([
    accessTokens.issue({ userId, sessionId }),
    keyring.macs("refresh-token").then((macs) => encodeRefreshToken(macs, { sessionId, counter })),
  ]);
  return {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: ACCESS_TOKEN_LIFETIME_SEC,
    refresh_token: refreshToken,
    refresh_expires_in: session.idleExpiresAt - unixNow(clock),
    user: AccountUser.parse(JSON.parse(session.user)),
  };
}
