import type { ModelConfigurationRow } from "../db/schema.ts";
import { ECHO_MODEL_ID } from "./providers/echo.ts";
import type { Model } from "./wire.ts";

const ECHO: Model = {
  id: ECHO_MODEL_ID,
  name: "Echo",
  provider: ECHO_MODEL_ID,
  description: "Answers exactly what was said. For development: it needs no credentials.",
};

/** The configured models, then echo (Engine §4, `GET /models`). A model goes by its alias where it has one. */
export function toCatalog(configurations: readonly ModelConfigurationRow[]): Model[] {
  const configured = configurations.map(({ id, alias, model, provider }) => ({
    id,
    name: alias?.trim() ? alias : model,
    provider,
    description: null,
  }));
  return [...configured, ECHO];
}
