import assert from "node:assert/strict";
import { TEST_HEADERS, type TestEngine } from "./engine.ts";
import { type EventReader, readEvents } from "./event-reader.ts";

/** Opens a stream that must answer 200. */
export async function openEventStream(
  test: TestEngine,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const request = new Request(`http://127.0.0.1/api/v1${path}`, {
    headers: { ...TEST_HEADERS, ...headers },
  });
  const response = await test.engine.fetch(request);
  assert.equal(response.status, 200);
  return readEvents(response.body!, response.headers);
}

/** Opens `GET /changes`. */
export function openChanges(
  test: TestEngine,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  return openEventStream(test, `/changes${query}`, headers);
}
