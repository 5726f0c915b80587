import { redactText } from "../../shared/log.ts";
import { withDeadline } from "../deadline.ts";
import { resolveContextWindow } from "./context-window.ts";
import { ModelFailure, type ModelRequest } from "./language-model.ts";
import { MODEL_TEST_CHARACTERS_MAX, MODEL_TEST_MS_MAX } from "./limits.ts";
import { createModel } from "./providers/create-model.ts";
import type { ResolveDeps } from "./resolve.ts";
import { getModelConfiguration } from "./store.ts";
import type { ModelTest } from "./wire.ts";

const REQUEST: ModelRequest = {
  instructions: "",
  messages: [{ role: "user", content: "Reply with the word OK." }],
  tools: [],
};
const TOO_SLOW = `The model gave no complete answer within ${MODEL_TEST_MS_MAX / 1000} seconds.`;
const CANCELLED = "The client cancelled the test.";

/**
 * Sends one tiny request to a configured model and measures it. A failure has the text that a chat would show.
 * @throws EngineError `absent`, `credential_store`
 */
export async function testModelConfiguration(
  deps: ResolveDeps,
  id: string,
  signal: AbortSignal,
): Promise<ModelTest> {
  const row = await getModelConfiguration(deps.db, id);
  const startMs = deps.clock.now();
  const elapsedMs = () => deps.clock.now() - startMs;
  const tooSlow = { delayMs: MODEL_TEST_MS_MAX, reason: new ModelFailure(TOO_SLOW) };
  using limited = withDeadline(deps.timers, signal, tooSlow);
  let characters = 0;
  let firstTokenMs: number | null = null;
  try {
    const { window } = await resolveContextWindow(deps, row, {
      signal: limited.signal,
      asksAll: true,
    });
    const model = await createModel(deps, row, { contextWindow: window, retriesMax: 0 });
    for await (const part of model.stream(REQUEST, limited.signal)) {
      if (part.type === "end") continue;
      firstTokenMs ??= elapsedMs();
      characters += part.type === "delta" ? part.text.length : 0;
      if (characters > MODEL_TEST_CHARACTERS_MAX) break;
    }
    return { ok: true, firstTokenMs, totalMs: elapsedMs(), error: null };
  } catch (error) {
    if (!signal.aborted && !(error instanceof ModelFailure)) throw error;
    const message = error instanceof ModelFailure ? redactText(error.message) : CANCELLED;
    return { ok: false, firstTokenMs, totalMs: elapsedMs(), error: message };
  }
}
