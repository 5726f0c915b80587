import assert from "node:assert/strict";
import { TEST_HEADERS, type TestEngine } from "./engine.ts";

/** An event of `GET /changes`; `data` is text where it is no JSON. */
export interface ChangeEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
}

/** An open `GET /changes`. */
export interface ChangesReader extends AsyncDisposable {
  headers: Headers;
  /** Exactly this many of the next events. */
  take(count: number): Promise<ChangeEvent[]>;
  /** All events up to the end of the stream. */
  rest(): Promise<ChangeEvent[]>;
}

export async function openChanges(
  test: TestEngine,
  query = "",
  headers: Record<string, string> = {},
): Promise<ChangesReader> {
  const request = new Request(`http://127.0.0.1/api/v1/changes${query}`, {
    headers: { ...TEST_HEADERS, ...headers },
  });
  const response = await test.engine.fetch(request);
  assert.equal(response.status, 200);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  const waiting: ChangeEvent[] = [];
  const more = async () => {
    const { value, done } = await reader.read();
    // A chunk holds whole events.
    const blocks = decoder.decode(value).split("\n\n").filter(Boolean);
    waiting.push(...blocks.filter((block) => !block.startsWith(":")).map(parseEvent));
    return !done;
  };
  return {
    headers: response.headers,
    take: async (count) => {
      while (waiting.length < count) assert.ok(await more(), "the stream ended");
      return waiting.splice(0, count);
    },
    rest: async () => {
      while (await more());
      return waiting.splice(0);
    },
    [Symbol.asyncDispose]: () => reader.cancel(),
  };
}

function parseEvent(block: string): ChangeEvent {
  const match = /^id: (.*)\nevent: (.*)\ndata:(?: (.*))?$/.exec(block);
  assert.ok(match, block);
  const [, id = "", event = "", data = ""] = match;
  return { id, event, data: data === "" ? "" : JSON.parse(data) };
}
