import assert from "node:assert/strict";

/** An event of a stream that can be resumed; `data` is text where it is no JSON. */
export interface StreamedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape.
  data: any;
}

/** An open stream of such events. */
export interface EventReader extends AsyncDisposable {
  headers: Headers;
  /** The events that end in the next chunk; none where it is a comment, a part of an event, or the end of the stream. */
  next(): Promise<StreamedEvent[]>;
  /** Exactly this many of the next events. */
  take(count: number): Promise<StreamedEvent[]>;
  /** All events up to the end of the stream. */
  rest(): Promise<StreamedEvent[]>;
}

/** Reads a stream event by event. */
export function readEvents(
  stream: ReadableStream<Uint8Array>,
  headers = new Headers(),
): EventReader {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const waiting: StreamedEvent[] = [];
  let begun: string[] = [];
  const more = async () => {
    const { value, done } = await reader.read();
    const text = decoder.decode(value, { stream: true });
    begun.push(text);
    // A large event arrives in hundreds of pieces.
    if (!text.includes("\n")) return !done;
    const blocks = begun.join("").split("\n\n");
    begun = [blocks.pop() ?? ""];
    waiting.push(...blocks.filter((block) => !block.startsWith(":")).map(parseEvent));
    return !done;
  };
  return {
    headers,
    next: async () => {
      if (waiting.length === 0) await more();
      return waiting.splice(0);
    },
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

function parseEvent(block: string): StreamedEvent {
  const match = /^id: ([^\n]*)\nevent: ([^\n]*)\ndata:(?: ([^\n]*))?$/.exec(block);
  assert.ok(match, block);
  const [, id = "", event = "", data = ""] = match;
  return { id, event, data: data === "" ? "" : JSON.parse(data) };
}
