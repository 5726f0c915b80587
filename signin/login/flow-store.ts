import { and, eq, gt, isNull, or } from "drizzle-orm";
import type { Database } from "../../shared/database.ts";
import { type AuthFlowRow, authFlows } from "../db/schema.ts";

export type NewFlow = Omit<AuthFlowRow, "consumedAt">;

export async function insertFlow(db: Database, flow: NewFlow): Promise<void> {
  await db.insert(authFlows).values(flow);
}

/** The parts of a callback that identify its flow. */
export interface FlowKey {
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
  { stateHash, provider, bindingHash }: FlowKey,
  now: number,
): Promise<AuthFlowRow | undefined> {
  const [flow] = await db
    .update(authFlows)
    .set({ consumedAt: now })
    .where(
      and(
        eq(authFlows.stateHash, stateHash),
        eq(authFlows.provider, provider),
        isNull(authFlows.consumedAt),
        gt(authFlows.expiresAt, now),
        isBound(bindingHash),
      ),
    )
    .returning();
  return flow;
}

/** Whether the flow of this browser has expired. Other browsers do not learn it. */
export async function isExpiredFlow(
  db: Database,
  { stateHash, provider, bindingHash }: FlowKey,
): Promise<boolean> {
  const flow = await db
    .select({ stateHash: authFlows.stateHash })
    .from(authFlows)
    .where(
      and(
        eq(authFlows.stateHash, stateHash),
        eq(authFlows.provider, provider),
        isNull(authFlows.consumedAt),
        isBound(bindingHash),
      ),
    )
    .get();
  return flow !== undefined;
}

function isBound(bindingHash: string | undefined) {
  const isFree = isNull(authFlows.bindingHash);
  return bindingHash === undefined ? isFree : or(isFree, eq(authFlows.bindingHash, bindingHash));
}
