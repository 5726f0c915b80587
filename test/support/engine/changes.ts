import type { TestEngine } from "./engine.ts";
import { type EventReader, openEventStream } from "./event-reader.ts";

/** Opens `GET /changes`. */
export function openChanges(
  test: TestEngine,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  return openEventStream(test, `/changes${query}`, headers);
}
