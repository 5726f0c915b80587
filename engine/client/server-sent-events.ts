import { parseJson } from "../../shared/json.ts";
import { onAbort } from "../../shared/on-abort.ts";

/** An event of a `text/event-stream`. `id` is that of the last event that had one. */
export interface ServerSentEvent {
  id: string;
  /** Empty if the event has no type. */
  event: string;
  data: string;
}

const LINE_END = /\r\n|\n|\r/;

interface ReadOptions {
  signal?: AbortSignal;
  /** Called before and after each wait for more, comments included. */
  wait?: (isWaiting: boolean) => void;
}

/**
 * The events of a stream; comments are left out. A return cancels the stream.
 * @throws the signal's reason if it is aborted.
 */
export async function* readServerSentEvents(
  stream: ReadableStream<Uint8Array>,
  { signal, wait }: ReadOptions = {},
): AsyncGenerator<ServerSentEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  const takeLines = createLineSplitter();
  let [id, event] = ["", ""];
  let data: string[] = [];
  const cancel = () => void reader.cancel().catch(() => {});
  const removeListener = signal && onAbort(signal, cancel);
  try {
    signal?.throwIfAborted();
    for (;;) {
      wait?.(true);
      const { done, value } = await reader.read();
      wait?.(false);
      signal?.throwIfAborted();
      if (done) return;
      for (const line of takeLines(decoder.decode(value, { stream: true }))) {
        if (line === "") {
          if (data.length > 0) yield { id, event, data: data.join("\n") };
          event = "";
          data = [];
          continue;
        }
        const { field, value } = toField(line);
        if (field === "data") data.push(value);
        else if (field === "event") event = value;
        else if (field === "id" && !value.includes("\0")) id = value;
      }
    }
  } finally {
    removeListener?.();
    await reader.cancel().catch(() => {});
  }
}

/** Gives the lines that end in a chunk of a text. Each chunk is searched once: a line may have many of them. */
function createLineSplitter(): (chunk: string) => string[] {
  // The chunks of the line that has no end yet.
  let pieces: string[] = [];
  let endedAtReturn = false;
  return (chunk) => {
    if (chunk === "") return [];
    // The carriage return before it has ended the line.
    const text = endedAtReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    endedAtReturn = chunk.endsWith("\r");
    const lines = text.split(LINE_END);
    pieces.push(lines.shift() ?? "");
    if (lines.length === 0) return [];
    const first = pieces.join("");
    pieces = [lines.pop() ?? ""];
    return [first, ...lines];
  };
}

function toField(line: string): { field: string; value: string } {
  const colon = line.includes(":") ? line.indexOf(":") : line.length;
  const value = line.slice(colon + (line.charAt(colon + 1) === " " ? 2 : 1));
  return { field: line.slice(0, colon), value };
}

/** The value of an event's data, or its text if it is no JSON. */
export function parseData(text: string): unknown {
  const value = parseJson(text);
  return value === undefined ? text : value;
}
