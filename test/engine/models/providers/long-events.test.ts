// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  MODEL_ERROR_BYTES_MAX,
  MODEL_FRAME_BYTES_MAX,
  MODEL_LINE_BYTES_MAX,
} from "../../../../engine/models/limits.ts";
import { createEventLength, watchWire } from "../../../../engine/models/providers/wire-watch.ts";
import {
  assertFailure,
  breaksOff,
  createProviderBench,
  runStep,
} from "../../../support/providers/harness.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

const FRAMES = "application/vnd.amazon.eventstream";
const LINES = "text/event-stream";

/** A frame of this length, which says its length in its first four bytes. */
function frameOf(bytes: number): Buffer {
  const frame = Buffer.alloc(bytes);
  frame.writeUInt32BE(bytes);
  return frame;
}

/** What the measure says of each of these chunks. */
function measured(contentType: string | null, chunks: readonly Uint8Array[]): boolean[] {
  return chunks.map(createEventLength(contentType));
}

for (const wire of PROVIDER_WIRES) {
  it(`An answer of ${wire.provider} ends when an event in it becomes too long`, async () => {
    await using bench = await createProviderBench(wire);
    const begun =
      wire.contentType === FRAMES
        ? frameOf(MODEL_FRAME_BYTES_MAX + 1).subarray(0, 4)
        : Buffer.from(`data: ${"x".repeat(MODEL_LINE_BYTES_MAX)}`);
    // The server then waits: only the bound can end this step.
    bench.server.script(
      breaksOff(wire, async (exchange) => {
        await exchange.write(begun);
        await exchange.cut;
      }),
    );
    assertFailure(bench, await runStep(bench.model), /event of the model provider's answer is too/);
    await bench.server.exchanges[0]!.cut;
  });
}

describe("An event of a streamed answer", () => {
  it("may be as long as its bound, and no longer", () => {
    const line = Buffer.alloc(MODEL_LINE_BYTES_MAX, "x");
    const end = Buffer.from("\n");
    const one = Buffer.from("x");
    assert.deepEqual(measured(LINES, [line, end, line, end, one]), [true, true, true, true, true]);
    assert.deepEqual(measured(LINES, [end, line, one]), [true, true, false]);
    assert.deepEqual(measured(null, [Buffer.concat([line, one, end])]), [false]);

    const frame = frameOf(MODEL_FRAME_BYTES_MAX);
    assert.deepEqual(measured(FRAMES, [frame, frame]), [true, true]);
    assert.deepEqual(measured(FRAMES, [frame, frameOf(MODEL_FRAME_BYTES_MAX + 1)]), [true, false]);
  });

  it("is measured in pieces of any size", () => {
    const frames = Buffer.concat([frameOf(16), frameOf(700), frameOf(17), frameOf(2 ** 21)]);
    for (const pieceBytes of [1, 3, 16, 701]) {
      const isShort = createEventLength(`${FRAMES}; charset=x`);
      let readBytes = 0;
      while (isShort(frames.subarray(readBytes, readBytes + pieceBytes))) readBytes += pieceBytes;
      assert.equal(Math.floor(736 / pieceBytes), Math.floor(readBytes / pieceBytes));
    }
  });

  it("is left to the package where no frame is so short", () => {
    assert.deepEqual(measured(FRAMES, [Buffer.alloc(64)]), [true]);
  });
});

it("A body of an error ends at its bound, in whatever chunks it comes", async () => {
  const timers = { after: () => () => {} };
  for (const chunkBytes of [1_000, MODEL_ERROR_BYTES_MAX, 4_000_000]) {
    const chunks = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.alloc(chunkBytes, "x")),
    });
    const fetch = async () => new Response(chunks, { status: 400 });
    using wire = watchWire({ fetch, timers }, new AbortController().signal);
    const response = await wire.fetch("https://provider.example");
    assert.equal((await response.arrayBuffer()).byteLength, MODEL_ERROR_BYTES_MAX);
  }
});
