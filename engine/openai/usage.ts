import { isJsonObject } from "../../shared/json.ts";
import type { EngineDeps } from "../deps.ts";
import { countCallStatement } from "../turns/record-store.ts";
import { addUsage, NOTHING_USED } from "../turns/token-counts.ts";
import { toDay } from "../turns/usage-wire.ts";

/** Counts a call of a bare model in `/usage`, with what its provider reported. Its failure is no reason to fail the call. */
export async function countCall(
  { db, clock, log }: Pick<EngineDeps, "db" | "clock" | "log">,
  model: string,
  usage: unknown,
): Promise<void> {
  const reported = isJsonObject(usage) ? usage : {};
  const details = isJsonObject(reported.prompt_tokens_details)
    ? reported.prompt_tokens_details
    : {};
  const used = addUsage(NOTHING_USED, {
    inputTokens: toNumber(reported.prompt_tokens),
    outputTokens: toNumber(reported.completion_tokens),
    cachedInputTokens: toNumber(details.cached_tokens),
  });
  // A call is in no workspace and no thread.
  const call = { day: toDay(clock.now()), workspaceUuid: "", threadUuid: "", model, ...used };
  try {
    await db.$client.execute(countCallStatement(call));
  } catch (error) {
    log.warn({ error }, "The usage of a call could not be stored.");
  }
}

function toNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
