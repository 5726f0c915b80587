import type { EngineDeps } from "../../deps.ts";
import { ByteSlices } from "../../http/byte-slices.ts";
import { ModelFailure } from "../language-model.ts";
import {
  MODEL_ANSWER_BYTES_MAX,
  MODEL_ERROR_BYTES_MAX,
  MODEL_FRAME_BYTES_MAX,
  MODEL_IDLE_MS,
  MODEL_LINE_BYTES_MAX,
  MODEL_SLICE_BYTES,
} from "../limits.ts";

const TAIL_BYTES = 64;

/** The connection of one step: its `fetch` ends on the turn's signal, on silence and on too long a response. */
export interface WireWatch extends Disposable {
  fetch: typeof fetch;
  signal: AbortSignal;
  /** Why the watch ended the connection, if it did. */
  fault(): ModelFailure | undefined;
  /** Whether the provider has begun its response. */
  answering(): boolean;
  /** Whether the last bytes were the `[DONE]` of chat completions. */
  sawDone(): boolean;
}

/** Disposal ends what is still open. */
export function watchWire(
  { fetch, timers }: Pick<EngineDeps, "fetch" | "timers">,
  turnSignal: AbortSignal,
): WireWatch {
  const cut = new AbortController();
  const signal = AbortSignal.any([turnSignal, cut.signal]);
  let fault: ModelFailure | undefined;
  let answering = false;
  let tail = "";
  let stopTimer = () => {};
  const fail = (message: string) => {
    fault ??= new ModelFailure(message);
    cut.abort(fault);
  };
  // Silence is only the time that is spent waiting for the provider.
  const unlessSilent: UnlessSilent = (wait) => {
    stopTimer();
    stopTimer = timers.after(MODEL_IDLE_MS, () =>
      fail(`The model provider sent nothing for ${MODEL_IDLE_MS / 1000} seconds.`),
    );
    return wait.finally(() => stopTimer());
  };

  const takeAnswer = (response: Response): Take => {
    const isEventShort = createEventLength(response.headers.get("content-type"));
    return (chunk, sizeBytes) => {
      if (sizeBytes > MODEL_ANSWER_BYTES_MAX) fail("The model provider's answer is too long.");
      else if (!isEventShort(chunk)) fail("An event of the model provider's answer is too long.");
      if (fault) return chunk.subarray(0, 0);
      tail = tailOf(tail, chunk);
      return chunk;
    };
  };

  return {
    signal,
    fault: () => fault,
    answering: () => answering,
    sawDone: () => tail.trimEnd().endsWith("[DONE]"),
    fetch: async (input, init) => {
      // A redirect would send the key to another address.
      const response = await unlessSilent(fetch(input, { ...init, redirect: "manual", signal }));
      answering = response.ok;
      if (!response.body) return response;
      const take = response.ok ? takeAnswer(response) : takeError;
      return new Response(watchBody(response.body, take, unlessSilent), response);
    },
    [Symbol.dispose]() {
      stopTimer();
      cut.abort();
    },
  };
}

/** Fails the step if a wait for the provider is too long. */
type UnlessSilent = <Result>(wait: Promise<Result>) => Promise<Result>;

/** The part of a chunk that a package may read; less than all of it ends the body. `sizeBytes` counts from the first chunk. */
type Take = (chunk: Uint8Array, sizeBytes: number) => Uint8Array;

// The rest is text that no message shows.
const takeError: Take = (chunk, sizeBytes) =>
  chunk.subarray(0, Math.max(0, chunk.length - Math.max(0, sizeBytes - MODEL_ERROR_BYTES_MAX)));

/** The same bytes, up to where `take` ends them. */
function watchBody(
  body: ReadableStream<Uint8Array>,
  take: Take,
  unlessSilent: UnlessSilent,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const slices = new ByteSlices(MODEL_SLICE_BYTES);
  let sizeBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await unlessSilent(reader.read());
        if (done) {
          controller.close();
          return;
        }
        sizeBytes += value.length;
        const taken = take(value, sizeBytes);
        for await (const slice of slices.of(taken)) controller.enqueue(slice);
        if (taken.length === value.length) return;
        controller.close();
        await reader.cancel();
      },
      cancel: () => reader.cancel(),
    },
    // Reads only on demand.
    { highWaterMark: 0 },
  );
}

function tailOf(before: string, chunk: Uint8Array): string {
  const end = chunk.subarray(Math.max(0, chunk.length - TAIL_BYTES));
  return (before + Buffer.from(end).toString("latin1")).slice(-TAIL_BYTES);
}

const LINE_END = 0x0a;
/** A frame begins with its own length; the shortest is its head and its checksums. */
const FRAME_LENGTH_BYTES = 4;
const FRAME_BYTES_MIN = 16;

/** Takes the next bytes of a stream; false once an event in it is longer than its bound. */
type EventLength = (chunk: Uint8Array) => boolean;

/**
 * Measures the events of a streamed answer. A package collects an event before it parses it, with one copy for each piece, so an
 * endless one would cost more with each byte. Events are lines of text, or frames of `application/vnd.amazon.eventstream`.
 * @internal for tests
 */
export function createEventLength(contentType: string | null): EventLength {
  return /^application\/vnd\.amazon\.eventstream\b/i.test(contentType ?? "")
    ? createFrameLength()
    : createLineLength();
}

function createLineLength(): EventLength {
  let lineBytes = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(LINE_END, at);
      lineBytes += (end < 0 ? chunk.length : end) - at;
      if (lineBytes > MODEL_LINE_BYTES_MAX) return false;
      if (end < 0) return true;
      lineBytes = 0;
      at = end + 1;
    }
    return true;
  };
}

function createFrameLength(): EventLength {
  // The bytes of the next frame's length so far, then the rest of the frame.
  let length = 0;
  let lengthBytes = 0;
  let left = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const taken = Math.min(left, chunk.length - at);
        left -= taken;
        at += taken;
        continue;
      }
      length = length * 256 + (chunk[at++] ?? 0);
      if (++lengthBytes < FRAME_LENGTH_BYTES) continue;
      if (length > MODEL_FRAME_BYTES_MAX) return false;
      // The package refuses a frame that cannot be one, and ends the answer.
      left = Math.max(length, FRAME_BYTES_MIN) - FRAME_LENGTH_BYTES;
      length = 0;
      lengthBytes = 0;
    }
    return true;
  };
}
