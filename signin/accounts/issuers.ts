import type { Database } from "../../shared/database.ts";
import type { Logger } from "../../shared/log.ts";
import type { ProviderName } from "../config/provider-config.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";

/**
 * Gives an issuer the identities that have none, and those of another issuer where the operator accepts it. Returns the
 * message of a refusal: there are identities of another issuer, whose subjects may be other people.
 */
export async function settleIssuer(
  db: Database,
  claim: ProviderName,
  log: Logger,
): Promise<string | undefined> {
  const { slug, issuer, acceptsIssuerChange } = claim;
  const { unclaimed, foreign } = await countForeign(db, claim);
  const count = foreign.reduce((sum, group) => sum + group.count, 0);
  if (count > 0 && !acceptsIssuerChange)
    return describeRefusal(claim, count, foreign[0]?.issuer ?? "");
  if (count > 0) {
    await takeOver(db, claim, "issuer IS NOT :issuer");
    const fields = { provider: slug, issuer, identities: count };
    log.warn(fields, "Identities of another issuer were taken over, as the configuration accepts.");
  } else if (unclaimed > 0) {
    // Another process may have another issuer: the statement checks that there is still none.
    const other =
      "SELECT 1 FROM identities WHERE provider = :slug AND (issuer < :issuer OR issuer > :issuer)";
    await takeOver(db, claim, `issuer IS NULL AND NOT EXISTS (${other})`);
  }
  return undefined;
}

/** Settles each provider's issuer once, at its first use. @throws SigninError `issuer_changed` */
export function createIssuerGate(): (scope: IssuerScope, claim: ProviderName) => Promise<void> {
  const settled = new Set<string>();
  return async ({ db, log, client }, claim) => {
    if (settled.has(claim.slug)) return;
    const reason = await settleIssuer(db, claim, log);
    if (reason !== undefined) {
      log.error({ failure: "issuer_changed", reason, request_id: client.requestId }, REFUSED);
      throw failure("issuer_changed");
    }
    settled.add(claim.slug);
  };
}

type IssuerScope = Pick<Scope, "db" | "log" | "client">;
const REFUSED = "A provider's issuer has changed: its sign-ins are refused.";

/** Three ranges of one index. Usually they are empty, so nothing is read. */
async function countForeign(db: Database, { slug, issuer }: ProviderName) {
  const count =
    "SELECT issuer, count(*) AS count FROM identities WHERE provider = :slug AND issuer";
  const { rows } = await db.$client.execute({
    sql: `${count} IS NULL UNION ALL ${count} < :issuer GROUP BY issuer UNION ALL ${count} > :issuer GROUP BY issuer`,
    args: { slug, issuer },
  });
  const groups = rows.map((row) => ({ issuer: row.issuer, count: Number(row.count) }));
  const foreign = groups.flatMap(({ issuer: other, count }) =>
    typeof other === "string" ? { issuer: other, count } : [],
  );
  return { unclaimed: groups.find(({ issuer: other }) => other === null)?.count ?? 0, foreign };
}

async function takeOver(
  db: Database,
  { slug, issuer }: ProviderName,
  where: string,
): Promise<void> {
  await db.$client.execute({
    sql: `UPDATE identities SET issuer = :issuer WHERE provider = :slug AND ${where}`,
    args: { slug, issuer },
  });
}

function describeRefusal(
  { kind, slug, issuer, variables }: ProviderName,
  count: number,
  other: string,
): string {
  const address = `${variables}_${kind === "oidc" ? "ISSUER" : "API_URL"}`;
  const name = variables.startsWith("PROVIDER_") ? "name in PROVIDERS" : `${variables}_SLUG`;
  const identities = count === 1 ? "1 identity" : `${count} identities`;
  return (
    `${address}: ${identities} of "${slug}" came from ${other}, not from ${issuer}. A subject may be another person there. ` +
    `Restore the address, or choose another ${name}. ` +
    `If both give each person the same subject, set ${variables}_ISSUER_CHANGED=accept for one start.`
  );
}
