// In a process of its own: it waits for the packages of tools/extra.
// Slow: it loads a client of others.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import {
  BASE_URL,
  CALLED,
  CHUNKS,
  COMPLETION,
  createDoorBench,
  networkOf,
  STREAM,
  TOOL,
  VECTOR,
} from "../../support/engine/door.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { answerChunks, answerStatus } from "../../support/providers/server.ts";

const PACKAGE = join(
  import.meta.dirname,
  "../../../tools/extra/node_modules/@langchain/openai/dist/index.js",
);
const skip = existsSync(PACKAGE) ? false : "`npm run extra` installs what it needs";

describe("LangChain's openai package", { skip }, () => {
  it("generates, streams, calls tools and embeds", async () => {
    const { ChatOpenAI, OpenAIEmbeddings } = await import(pathToFileURL(PACKAGE).href);
    const config = {
      ...TEST_CONFIG,
      embeddings: { kind: "openai-compatible" as const, model: "e", apiKey: undefined, url: "" },
    };
    await using bench = await createDoorBench({ config });
    config.embeddings.url = `${bench.server.url}/v1`;
    const { key: apiKey } = await bench.createKey();
    const configuration = { baseURL: BASE_URL, fetch: networkOf(bench.test) };
    const model = new ChatOpenAI({ model: "m", apiKey, configuration, maxRetries: 0 });
    bench.server.script(
      answerStatus(200, COMPLETION),
      answerChunks(STREAM, CHUNKS),
      answerStatus(200, CALLED),
      answerStatus(200, VECTOR),
    );
    assert.equal((await model.invoke("?")).text, "Four.");
    let text = "";
    for await (const chunk of await model.stream("?")) text += chunk.text;
    assert.equal(text, "Four.");
    const { tool_calls: calls } = await model.bindTools([TOOL]).invoke("?");
    assert.deepEqual(
      calls.map(({ name, args }: { name: string; args: object }) => [name, args]),
      [["add", { a: 2 }]],
    );
    const embedder = new OpenAIEmbeddings({ apiKey, configuration, encodingFormat: "float" });
    assert.deepEqual(await embedder.embedQuery("x"), [0.5, 1]);
  });
});
