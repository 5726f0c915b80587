import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type AuthFlowRow, authFlows } from "../db/schema.ts";

type NewFlow = Omit<AuthFlowRow, "consumedAt">;

export async function insertFlow(db: Database, flow: NewFlow): Promise<void> {
  await db.insert(authFlows).values(flow);
}

/** The parts of a callback that identify its flow. */
interface FlowKey {
  stateHash: string;
  provider: string;
  /** Hash of the binding cookie; undefined where the browser has none for this flow. */
  bindingHash: string | undefined;
}

/**
 * Consumes a flow. Of any number of callbacks one gets it, within its ten minutes, from the browser that it is bound to. A
 * callback from another browser does not consume it: otherwise a leaked state would be enough to end a sign-in.
 */
export async function consumeFlow(
  db: Database,
  key: FlowKey,
  now: number,
): Promise<AuthFlowRow | undefined> {
  const [flow] = await db
    .update(authFlows)
    .set({ consumedAt: now })
    .where(and(isUnused(key), gt(authFlows.expiresAt, now)))
    .returning();
  return flow;
}

/** Whether the flow of this browser has expired. Other browsers do not learn it. */
export async function isExpiredFlow(db: Database, key: FlowKey): Promise<boolean> {
  const flow = await db
    .select({ stateHash: authFlows.stateHash })
    .from(authFlows)
    .where(isUnused(key))
    .get();
  return flow !== undefined;
}

/** Whether a flow is the one of this state, provider and browser, and was not consumed. */
function isUnused({ stateHash, provider, bindingHash }: FlowKey) {
  return and(
    eq(authFlows.stateHash, stateHash),
    eq(authFlows.provider, provider),
    isNull(authFlows.consumedAt),
    isBound(bindingHash),
  );
}

function isBound(bindingHash: string | undefined) {
  const isFree = isNull(authFlows.bindingHash);
  return bindingHash === undefined ? isFree : or(isFree, eq(authFlows.bindingHash, bindingHash));
}
