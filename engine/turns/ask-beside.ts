import { failureText } from "../chat/failure.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid } from "../errors.ts";
import { ModelFailure, type ModelUsage } from "../models/language-model.ts";
import type { ThreadInWorkspace } from "../threads/wire.ts";
import { countBesideStatement } from "./record-store.ts";
import { addUsage, NOTHING_USED } from "./token-counts.ts";
import { toDay } from "./usage-wire.ts";

interface Asked {
  thread: ThreadInWorkspace;
  /** Its id. */
  model: string;
  /** Aborted once the client is gone. */
  signal: AbortSignal;
}

/**
 * Asks a model beside the turns of a thread. What that used is added to the usage, also if it fails or the thread is gone meanwhile.
 * @throws EngineError `provider` if the model fails, `invalid` once the signal is aborted
 */
export async function askBeside<Result>(
  { db, clock }: Pick<EngineDeps, "db" | "clock">,
  { thread, model, signal }: Asked,
  ask: (onUsage: (usage: ModelUsage) => void) => Promise<Result>,
): Promise<Result> {
  const day = toDay(clock.now());
  let used = NOTHING_USED;
  try {
    return await ask((usage) => {
      used = addUsage(used, usage);
    });
  } catch (error) {
    if (signal.aborted) throw invalid("The request was cancelled.");
    throw error instanceof ModelFailure ? new EngineError("provider", failureText(error)) : error;
  } finally {
    if (used !== NOTHING_USED) {
      const { uuid: threadUuid, workspaceUuid } = thread;
      const count = countBesideStatement({ day, workspaceUuid, threadUuid, model, ...used });
      await db.$client.execute(count);
    }
  }
}
