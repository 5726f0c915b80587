import { toIsoTime } from "../../shared/clock.ts";
import { isJsonObject } from "../../shared/json.ts";
import type { EngineDeps } from "../deps.ts";
import { TOKENS_MAX } from "../turns/limits.ts";
import { countStatement } from "../turns/usage-store.ts";

/** A call of no workspace and no thread. */
const CALL = `SELECT :day AS day, '' AS workspace_uuid, '' AS thread_uuid, :model AS model,
  :inputTokens AS input_tokens, :outputTokens AS output_tokens, :cachedInputTokens AS cached_input_tokens`;

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
  const args = {
    day: toIsoTime(clock.now()).slice(0, "YYYY-MM-DD".length),
    model,
    inputTokens: toTokens(reported.prompt_tokens),
    outputTokens: toTokens(reported.completion_tokens),
    cachedInputTokens: toTokens(details.cached_tokens),
  };
  try {
    await db.$client.execute({ sql: countStatement(CALL), args });
  } catch (error) {
    log.warn({ error }, "The usage of a call could not be stored.");
  }
}

function toTokens(value: unknown): number | null {
  const isCount = Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= TOKENS_MAX;
  return isCount ? Number(value) : null;
}
