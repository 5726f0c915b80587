// Slow: it sends every type of file to every provider.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MEDIA_TYPES_AS_BYTES } from "../../../support/engine/chat.ts";
import { createProviderBench, REQUEST, runStep } from "../../../support/providers/harness.ts";
import { answerChunks } from "../../../support/providers/server.ts";
import { PROVIDER_WIRES } from "../../../support/providers/wires.ts";

const TEXT = "Some bytes, ä";
const BYTES = new TextEncoder().encode(TEXT);
const BASE64 = Buffer.from(BYTES).toString("base64");

/** What reached the provider: base64 of the bytes, of a data URL with them, or their text. */
function findBytes(body: unknown): string | undefined {
  const sent = JSON.stringify(body);
  if (sent.includes(BASE64)) return "bytes";
  for (const [whole] of sent.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)) {
    if (Buffer.from(whole, "base64").toString().includes(BASE64)) return "bytes";
  }
  return sent.includes(TEXT) ? "text" : undefined;
}

// Ollama takes images alone; `ollama.test.ts` has its attachments.
for (const wire of PROVIDER_WIRES.filter(({ provider }) => provider !== "ollama")) {
  describe(`Attachments of ${wire.provider}`, () => {
    it("reach it in each of the 19 types, beside the text", async () => {
      await using bench = await createProviderBench(wire);
      for (const mediaType of MEDIA_TYPES_AS_BYTES) {
        for (const content of ["Look at this", ""]) {
          bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
          const attachments = [{ name: "some file.ext", mediaType, bytes: BYTES }];
          const messages = [{ role: "user" as const, content, attachments }];
          const { text } = await runStep(bench.model, { ...REQUEST, messages });
          assert.equal(text, "ok", mediaType);
          const { body } = bench.server.exchanges.at(-1)!;
          const found = findBytes(body);
          assert.ok(found, `${mediaType} in ${JSON.stringify(body)}`);
          if (!mediaType.startsWith("text/")) assert.equal(found, "bytes", mediaType);
          assert.ok(JSON.stringify(body).includes(content));
        }
      }
    });

    it("reach it together, five of one name", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
      const attachments = MEDIA_TYPES_AS_BYTES.slice(0, 5).map((mediaType) => ({
        name: "a.x",
        mediaType,
        bytes: BYTES,
      }));
      const messages = [{ role: "user" as const, content: "hi", attachments }];
      assert.equal((await runStep(bench.model, { ...REQUEST, messages })).text, "ok");
      const sent = JSON.stringify(bench.server.exchanges[0]!.body);
      assert.equal(sent.split(BASE64).length - 1, 5);
      const documents = [...sent.matchAll(/"document":\{"format":"\w+","name":"([^"]*)"/g)];
      assert.equal(new Set(documents.map(([, name]) => name)).size, documents.length);
    });

    it("that claim to be text and are not reach it as they are", async () => {
      await using bench = await createProviderBench(wire);
      bench.server.script(answerChunks(wire.contentType, wire.chunks([{ text: "ok" }])));
      const bytes = new Uint8Array([0xff, 0xfe, 0x00, 0x81, 0x20, 0x0a]);
      const attachments = [{ name: "a.csv", mediaType: "text/csv", bytes }];
      const messages = [{ role: "user" as const, content: "hi", attachments }];
      await runStep(bench.model, { ...REQUEST, messages });
      const sent = JSON.stringify(bench.server.exchanges[0]!.body);
      assert.ok(sent.includes(Buffer.from(bytes).toString("base64")), sent);
    });
  });
}
