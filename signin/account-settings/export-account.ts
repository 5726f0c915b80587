import { toIsoTime } from "../../shared/clock.ts";
import { parseJson } from "../../shared/json.ts";
import { toSigninEvent } from "../audit/wire.ts";
import { toTime, toTimeOrNull } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { AUDIT_PAGE_ROWS, EXPORT_EVENTS_MAX } from "../limits.ts";
import { type GuardDeps, requireWithinLimit } from "../rate-limits/guard.ts";
import { toSecondFactorState } from "../second-factor/wire.ts";
import { findStored, listEventsBefore } from "./export-store.ts";
import type { AccountExport } from "./wire.ts";

type ExportDeps = GuardDeps & Pick<Scope, "db" | "clock" | "record">;
type Stored = NonNullable<Awaited<ReturnType<typeof findStored>>>;

/**
 * Everything that is stored about the user, as JSON text: no hash, no sealed key, no token. Columns are named one by one, so that
 * a new one has to be decided on.
 * @throws SigninError `rate_limited`, `session_expired`
 */
export async function exportAccount(deps: ExportDeps, user: AccessClaims): Promise<string> {
  const { userId } = user;
  await requireWithinLimit(deps, "exportPerUser", userId);
  const stored = await findStored(deps.db, userId);
  if (!stored) throw failure("session_expired");
  const { events, ...rest } = toExport(stored, deps.clock.now());
  deps.record({ type: "account.exported", outcome: "success", ...user });
  const pages = await writeEvents(deps, userId);
  return `{"events":[${pages.join(",")}],${JSON.stringify(rest).slice(1)}`;
}

/** Page by page, so that no part of the work holds the event loop. */
async function writeEvents({ db }: ExportDeps, userId: string): Promise<string[]> {
  const pages: string[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (let left = EXPORT_EVENTS_MAX; left > 0; left -= AUDIT_PAGE_ROWS) {
    const limit = Math.min(left, AUDIT_PAGE_ROWS);
    const rows = await listEventsBefore(db, { userId, before, limit });
    if (rows.length > 0) {
      pages.push(rows.map((row) => JSON.stringify(toSigninEvent(row))).join(","));
    }
    const last = rows.at(-1);
    if (!last || rows.length < limit) return pages;
    before = last.id;
  }
  return pages;
}

function toExport(stored: Stored, now: number): AccountExport {
  const { user } = stored;
  return {
    exported_at: toIsoTime(now),
    profile: {
      id: user.id,
      email: user.email,
      display_name: user.displayName,
      avatar_url: user.avatarUrl,
      has_password: user.passwordHash !== null,
      created_at: toTime(user.createdAt),
      updated_at: toTime(user.updatedAt),
    },
    identities: stored.logins.map(
      ({ provider, issuer, subject, emailAtLink, linkedAt, isUnconfirmed }) => ({
        provider,
        issuer,
        subject,
        email: emailAtLink,
        linked_at: toTime(linkedAt),
        confirmed: !isUnconfirmed,
      }),
    ),
    passkeys: stored.passkeys.map((row) => ({
      id: row.id,
      label: row.label,
      rp_id: row.rpId,
      credential_id: row.credentialId,
      public_key: row.publicKey,
      backed_up: row.backedUp,
      // The registration stored a list of texts.
      transports: parseJson(row.transportsJson) as string[],
      created_at: toTime(row.createdAt),
      last_used_at: toTimeOrNull(row.lastUsedAt),
    })),
    second_factor: toSecondFactorState(stored.factor),
    api_keys: stored.keys.map(({ provider, hint, connectedAt }) => ({
      provider,
      hint,
      connected_at: toTime(connectedAt),
    })),
    sessions: stored.sessions.map((row) => ({
      id: row.id,
      kind: row.kind,
      provider: row.provider,
      passkey_id: row.passkeyId,
      label: row.label,
      network: row.ipPrefix,
      user_agent: row.userAgent,
      created_at: toTime(row.createdAt),
      amr: row.amr,
      proven_at: toTimeOrNull(row.provenAt),
      last_seen_at: toTime(row.lastSeenAt),
      expires_at: toTime(row.expiresAt),
      ended_at: toTimeOrNull(row.revokedAt),
      end_reason: row.revokeReason,
    })),
    events: [],
    events_stored: stored.events,
  };
}
