// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import {
  BASE_URL,
  CALL,
  CALLED,
  CHUNKS,
  COMPLETION,
  createDoorBench,
  type DoorBench,
  MESSAGES,
  networkOf,
  STREAM,
  TOOL,
  VECTOR,
} from "../../support/engine/door.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { empty } from "../../support/http.ts";
import { answerChunks, answerStatus } from "../../support/providers/server.ts";

// Clients that others wrote, with the engine in this process as their network.

describe("the openai package", () => {
  async function connect(bench: DoorBench) {
    const { key, uuid } = await bench.createKey();
    const options = { apiKey: key, baseURL: BASE_URL, fetch: networkOf(bench.test), maxRetries: 0 };
    return { client: new OpenAI(options), uuid };
  }

  it("lists models, and gets one", async () => {
    await using bench = await createDoorBench();
    const { client } = await connect(bench);
    const listed = (await client.models.list()).data;
    assert.deepEqual(
      listed.map(({ id, owned_by }) => [id, owned_by]),
      [[bench.modelId, "openai-compatible"]],
    );
    assert.deepEqual(await client.models.retrieve(bench.modelId), listed[0]);
  });

  it("completes, streamed and not", async () => {
    await using bench = await createDoorBench();
    const { client } = await connect(bench);
    bench.server.script(answerStatus(200, COMPLETION), answerChunks(STREAM, CHUNKS));
    const whole = await client.chat.completions.create({ model: "m", messages: MESSAGES });
    assert.equal(whole.choices[0]?.message.content, "Four.");
    const stream = client.chat.completions.stream({
      model: "m",
      messages: MESSAGES,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    assert.equal(streamed.choices[0]?.message.content, "Four.");
    assert.deepEqual(streamed.usage, COMPLETION.usage);
  });

  it("passes tools, images and a JSON schema", async () => {
    await using bench = await createDoorBench();
    const { client } = await connect(bench);
    bench.server.script(answerStatus(200, CALLED), answerStatus(200, COMPLETION));
    const first = await client.chat.completions.create({
      model: "m",
      messages: MESSAGES,
      tools: [TOOL],
    });
    assert.deepEqual(first.choices[0]?.message.tool_calls, [CALL]);
    const image = { url: "data:image/png;base64,AAAA" };
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "user", content: [{ type: "image_url", image_url: image }] },
      { role: "assistant", tool_calls: [CALL] },
      { role: "tool", tool_call_id: "call_1", content: "4" },
    ];
    const schema = { type: "object", properties: {} };
    const format = { type: "json_schema" as const, json_schema: { name: "s", schema } };
    await client.chat.completions.create({ model: "m", messages, response_format: format });
    const [one, two] = bench.server.exchanges;
    assert.deepEqual(one?.body.tools, [TOOL]);
    assert.deepEqual(two?.body.messages, messages);
    assert.deepEqual(two?.body.response_format, format);
  });

  it("embeds with the configured embedder, under any name", async () => {
    const embeddings = { kind: "openai-compatible" as const, model: "e", apiKey: "embedder-key" };
    const config = { ...TEST_CONFIG, embeddings: { ...embeddings, url: "" } };
    await using bench = await createDoorBench({ config });
    config.embeddings.url = `${bench.server.url}/v1`;
    const { client } = await connect(bench);
    bench.server.script(answerStatus(200, VECTOR));
    const options = { model: "any", input: ["x"], encoding_format: "float" as const };
    const { data } = await client.embeddings.create(options);
    assert.deepEqual(data, VECTOR.data);
    const [{ path, headers, body } = {}] = bench.server.exchanges.map((each) => each);
    assert.deepEqual([path, headers?.authorization], ["/v1/embeddings", "Bearer embedder-key"]);
    assert.deepEqual(body, { ...options, model: "e" });
  });

  it("knows the errors by their classes", async () => {
    await using bench = await createDoorBench();
    const { client, uuid } = await connect(bench);
    const create = (model: string) => client.chat.completions.create({ model, messages: MESSAGES });
    const limited = answerStatus(429, { error: { message: "slow down" } }, { "retry-after": "1" });
    bench.server.script(answerStatus(400, { error: { message: "bad" } }), limited);
    await assert.rejects(create("m"), OpenAI.BadRequestError);
    await assert.rejects(create("m"), OpenAI.RateLimitError);
    await assert.rejects(create("nothing"), OpenAI.NotFoundError);
    const { key } = await bench.createKey({ scopes: ["embeddings"] });
    const narrow = client.withOptions({ apiKey: key });
    await assert.rejects(
      narrow.chat.completions.create({ model: "m", messages: MESSAGES }),
      OpenAI.PermissionDeniedError,
    );
    await empty(await bench.test.call("DELETE", `/client-keys/${uuid}`));
    await assert.rejects(create("m"), OpenAI.AuthenticationError);
  });

  it("ends a call that it aborts, and sees a stream that breaks", async () => {
    await using bench = await createDoorBench();
    const { client } = await connect(bench);
    bench.server.script(async (exchange) => {
      exchange.head(200, { "content-type": STREAM });
      await exchange.write(CHUNKS[0] ?? "");
    });
    const arrived = bench.server.next();
    const request = { model: "m", messages: MESSAGES, stream: true as const };
    const stream = await client.chat.completions.create(request);
    for await (const chunk of stream) {
      assert.equal(chunk.choices[0]?.delta.content, "Fo");
      break;
    }
    await (await arrived).cut;
    bench.server.script(async (exchange) => {
      exchange.head(200, { "content-type": STREAM });
      await exchange.write(CHUNKS[0] ?? "");
      exchange.drop();
    });
    const broken = await client.chat.completions.create(request);
    await assert.rejects(async () => {
      for await (const _ of broken);
    }, OpenAI.APIError);
  });
});

describe("the AI SDK's openai-compatible provider", () => {
  it("generates, streams and calls tools", async () => {
    await using bench = await createDoorBench();
    const { key: apiKey } = await bench.createKey();
    const options = { name: "roundhouse", apiKey, baseURL: BASE_URL, fetch: networkOf(bench.test) };
    const model = createOpenAICompatible({ ...options, includeUsage: true })("m");
    bench.server.script(
      answerStatus(200, COMPLETION),
      answerChunks(STREAM, CHUNKS),
      answerStatus(200, CALLED),
    );
    assert.equal((await generateText({ model, messages: MESSAGES })).text, "Four.");
    const streamed = streamText({ model, messages: MESSAGES });
    assert.equal(await streamed.text, "Four.");
    assert.equal((await streamed.usage).inputTokens, 7);
    const { toolCalls } = await generateText({ model, messages: MESSAGES });
    assert.deepEqual(
      toolCalls.map(({ toolName, input }) => [toolName, input]),
      [["add", { a: 2 }]],
    );
  });
});
