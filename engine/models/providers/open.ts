import type { ModelConfigurationRow } from "../../db/schema.ts";
import type { EngineDeps } from "../../deps.ts";
import { type LanguageModel, ModelFailure } from "../language-model.ts";

type OpenDeps = Pick<EngineDeps, "vault" | "fetch" | "log">;

/** The model of a stored configuration, with its credentials opened and its provider's package loaded. */
export async function openConfiguredModel(
  _deps: OpenDeps,
  row: ModelConfigurationRow,
): Promise<LanguageModel> {
  throw new ModelFailure(`The provider of the model ${row.model} is not available yet.`);
}
