import { COMPLETION, completionChunk, type DoorBench, LAST_CHUNKS, toEvents } from "./door.ts";

/** Where clients find the interface. */
export const BASE_URL = "http://127.0.0.1/openai/v1";
export const STREAM = "text/event-stream";
export const MESSAGES = [{ role: "user" as const, content: "What is two and two?" }];
/** A whole streamed answer. */
export const CHUNKS = toEvents([
  completionChunk({ role: "assistant", content: "Fo" }),
  completionChunk({ content: "ur." }),
  ...LAST_CHUNKS,
  "[DONE]",
]);
export const CALL = {
  id: "call_1",
  type: "function" as const,
  function: { name: "add", arguments: '{"a":2}' },
};
/** An answer that calls a tool of the client. */
export const CALLED = {
  ...COMPLETION,
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: null, tool_calls: [CALL] },
      finish_reason: "tool_calls",
    },
  ],
};
export const TOOL = {
  type: "function" as const,
  function: { name: "add", parameters: { type: "object" } },
};
/** An answer of the embedder. */
export const VECTOR = {
  object: "list",
  model: "e",
  data: [{ object: "embedding", index: 0, embedding: [0.5, 1] }],
};

/** The engine in this process as the network of a client. */
export function networkOf({ engine }: DoorBench["test"]): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.headers.set("host", "127.0.0.1");
    return engine.fetch(request);
  };
}
