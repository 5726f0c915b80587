import { readList } from "../db/list.ts";
import type { EngineDeps } from "../deps.ts";
import { ECHO_MODEL_ID } from "./providers/echo.ts";
import { configuredModels } from "./store.ts";
import type { Model } from "./wire.ts";

const ECHO: Model = {
  id: ECHO_MODEL_ID,
  name: "Echo",
  provider: ECHO_MODEL_ID,
  description: "Answers exactly what was said. For development: it needs no credentials.",
};

/** `Model[]`: the configured models, then echo (Engine §4, `GET /models`). */
export function readCatalog(
  deps: Pick<EngineDeps, "db" | "timers">,
): Promise<string | ReadableStream<Uint8Array>> {
  return readList(deps, configuredModels, { head: "[", last: JSON.stringify(ECHO), tail: "]" });
}
