import type { StartTurn } from "../../../client/client.ts";
import { findFallbackModel } from "../../../client/default-model.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { share } from "./load.tsx";

/** All models that answer, and the one that does if nothing else is named; without any, null: echo answers. */
export const models = share(() => engine.models.list(), /^model\./);
export const fallbackModel = share(
  async () => (await findFallbackModel(engine)) ?? null,
  /^model\.|^settings\.updated$/,
);

/** Names the oldest model for a turn that the engine would give to echo, which answers nothing. @throws EngineError */
export async function withFallbackModel<Input extends Pick<StartTurn, "modelId">>(
  input: Input,
  defaultModelId: string | null,
): Promise<Input> {
  if (input.modelId || defaultModelId) return input;
  const found = await findFallbackModel(engine);
  return found && !found.isSet ? { ...input, modelId: found.id } : input;
}

/** Below an answer of echo: what it is, and the way to a model. Nothing if a model is connected. */
export function EchoNote() {
  if (fallbackModel.value !== null) return null;
  return (
    <p class="muted" role="note">
      No model is connected. This is your own text. <a href={hrefOf("models")}>Connect a model</a>
    </p>
  );
}
