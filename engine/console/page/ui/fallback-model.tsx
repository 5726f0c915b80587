import type { StartTurn } from "../../../client/client.ts";
import { type FallbackModel, findFallbackModel } from "../../../client/default-model.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { useChanges } from "./use-changes.ts";
import { type Loaded, useLoad } from "./use-load.ts";

/** The model that answers if a thread and its workspace name none; null is echo. */
export function useFallbackModel(): Loaded<FallbackModel | null> {
  const found = useLoad(
    "fallback model",
    async (signal) => (await findFallbackModel(engine, { signal })) ?? null,
  );
  useChanges(({ type }) => {
    if (type.startsWith("model.") || /^(settings\.updated|resync)$/.test(type)) found.reload();
  });
  return found;
}

/** Names the oldest model for a turn that the engine would give to echo, which answers nothing. @throws EngineError */
export async function withFallbackModel(
  input: StartTurn,
  defaultModelId: string | null,
): Promise<StartTurn> {
  if (input.modelId || defaultModelId) return input;
  const found = await findFallbackModel(engine);
  return found && !found.isSet ? { ...input, modelId: found.id } : input;
}

/** Below an answer of echo: what it is, and the way to a model. Nothing if a model is connected. */
export function EchoNote() {
  if (useFallbackModel().value !== null) return null;
  return (
    <p class="muted" role="note">
      No model is connected. This is your own text. <a href={hrefOf("models")}>Connect a model</a>
    </p>
  );
}
