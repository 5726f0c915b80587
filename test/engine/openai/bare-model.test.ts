// Slow: its models are servers.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  COMPLETION,
  completionChunk,
  createDoorBench,
  type DoorBench,
  LAST_CHUNKS,
  PROVIDER_KEY,
  toEvents,
} from "../../support/engine/door.ts";
import { empty, json } from "../../support/http.ts";
import { answerChunks, answerStatus, type Exchange } from "../../support/providers/server.ts";

const MESSAGES = [{ role: "user", content: "What is two and two?" }];
const STREAM = "text/event-stream";

function complete(bench: DoorBench, key: string, more: object = {}, init?: RequestInit) {
  const body = { model: "m", messages: MESSAGES, ...more };
  return bench.ask(key, "/chat/completions", body, init);
}

/** The data of a whole stream. */
async function dataOf(response: Response): Promise<unknown[]> {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), STREAM);
  const events = (await response.text()).split("\n\n").filter((event) => event !== "");
  return events.map((event) => {
    const data = event.replace(/^data: /, "");
    return data === "[DONE]" ? data : JSON.parse(data);
  });
}

async function usageOf({ test }: DoorBench) {
  const { groups } = await json(await test.call("GET", "/usage?groupBy=model"));
  return groups;
}

describe("a bare model", () => {
  it("gets the known fields under its own name and key, and its answer comes back as it is", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const tools = [{ type: "function", function: { name: "f", parameters: {} } }];
    const known = {
      temperature: 0,
      top_k: 3,
      tools,
      response_format: { type: "json_object" },
      stream_options: { include_usage: false },
    };
    const text = JSON.stringify(COMPLETION, null, 1);
    for (const model of [bench.modelId, "Alias", "m"]) {
      bench.server.script(answerStatus(200, text));
      const foreign = { base_url: "http://evil.example", api_key: "x", __proto__x: 1 };
      const response = await complete(bench, key, { ...known, ...foreign, model });
      assert.equal(response.headers.get("content-type"), "application/json");
      assert.equal(await response.text(), text);
      const sent = bench.server.exchanges.at(-1);
      assert.equal(sent?.path, "/v1/chat/completions");
      assert.equal(sent?.headers.authorization, `Bearer ${PROVIDER_KEY}`);
      assert.deepEqual(sent?.body, { ...known, model: "m", messages: MESSAGES });
    }
    const counted = {
      turns: 3,
      turnsWithoutUsage: 0,
      inputTokens: 21,
      outputTokens: 6,
      cachedInputTokens: 9,
    };
    assert.deepEqual(await usageOf(bench), [{ key: bench.modelId, ...counted }]);
    const { rows } = await bench.test.deps.db.$client.execute("SELECT count(*) AS n FROM messages");
    assert.equal(rows[0]?.n, 0);
  });

  it("names its configuration by id, then alias, then model; the oldest of equal ones", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const add = async (model: string, alias: string | null) => {
      const baseUrl = `${bench.server.url}/v1`;
      const input = { provider: "openai-compatible", model, alias, baseUrl };
      return (await json(await bench.test.call("POST", "/model-configurations", input), 201)).id;
    };
    await add("Alias", null);
    await add("second", "m");
    await add("third", "m");
    await add("fourth", bench.modelId);
    for (const [named, model] of [
      [bench.modelId, "m"],
      ["Alias", "m"],
      ["m", "second"],
      ["third", "third"],
    ]) {
      bench.server.script(answerStatus(200, COMPLETION));
      await json(await complete(bench, key, { model: named }));
      assert.equal(bench.server.exchanges.at(-1)?.body.model, model);
    }
  });

  for (const provider of ["echo", "bedrock"]) {
    it(`is none of ${provider}`, async () => {
      await using bench = await createDoorBench();
      const { key } = await bench.createKey();
      const input = { provider, model: "x", region: "eu-west-1" };
      const { id } = await json(await bench.test.call("POST", "/model-configurations", input), 201);
      const { data } = await json(await bench.ask(key, "/models"));
      assert.deepEqual(
        data.map((each: { id: string }) => each.id),
        [bench.modelId],
      );
      for (const model of [id, "x", provider]) {
        const { error } = await json(await complete(bench, key, { model }), 400);
        assert.deepEqual([error.param, error.code], ["model", "model_not_supported"]);
      }
    });
  }

  it("streams, and asks for the usage that only some clients want", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const chunks = [
      completionChunk({ role: "assistant", content: "Fo" }),
      completionChunk({ content: "ur." }),
    ];
    for (const wanted of [undefined, { include_usage: false }, { include_usage: true }]) {
      bench.server.script(answerChunks(STREAM, toEvents([...chunks, ...LAST_CHUNKS, "[DONE]"])));
      const options = { stream: true, stream_options: wanted };
      const data = await dataOf(await complete(bench, key, options));
      const last = wanted?.include_usage ? LAST_CHUNKS : LAST_CHUNKS.slice(0, 1);
      assert.deepEqual(data, [...chunks, ...last, "[DONE]"]);
      const { body } = bench.server.exchanges.at(-1) as Exchange;
      assert.deepEqual(body.stream_options, { include_usage: true });
    }
    const counted = {
      turns: 3,
      turnsWithoutUsage: 0,
      inputTokens: 21,
      outputTokens: 6,
      cachedInputTokens: 9,
    };
    assert.deepEqual(await usageOf(bench), [{ key: bench.modelId, ...counted }]);
  });

  const broken =
    "The connection to the provider broke before the answer was complete (ECONNRESET).";
  const began = [completionChunk({ content: "Fo" })];
  for (const [what, chunks, after, message] of [
    ["drops the connection", began, (e: Exchange) => e.drop(), broken],
    ["ends without an end", began, (e: Exchange) => e.end(), "The provider broke off its answer."],
    [
      "sends no JSON",
      ["[1"],
      (e: Exchange) => e.end(),
      "The provider's answer could not be understood.",
    ],
    ["sends nothing", [], (e: Exchange) => e.end(), "The provider broke off its answer."],
  ] as const) {
    it(`that ${what} ends with an error and no [DONE]`, async () => {
      await using bench = await createDoorBench();
      const { key } = await bench.createKey();
      bench.server.script(async (exchange) => {
        exchange.head(200, { "content-type": STREAM });
        for (const chunk of chunks) {
          await exchange.write(
            `data: ${typeof chunk === "string" ? chunk : JSON.stringify(chunk)}\n\n`,
          );
        }
        after(exchange);
      });
      const data = await dataOf(await complete(bench, key, { stream: true }));
      const { error } = data.at(-1) as { error: { message: string; type: string } };
      if (what === "drops the connection")
        assert.match(error.message, /^The connection to the provider broke/);
      else assert.equal(error.message, message);
      assert.equal(error.type, "server_error");
      assert.deepEqual(
        data.slice(0, -1),
        chunks.filter((chunk) => typeof chunk !== "string"),
      );
    });
  }

  it("that fails in the middle ends with its error", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const failed = { error: { message: "overloaded", code: 502 } };
    bench.server.script(
      answerChunks(STREAM, toEvents([...began, failed, ...LAST_CHUNKS, "[DONE]"])),
    );
    assert.deepEqual(await dataOf(await complete(bench, key, { stream: true })), [
      ...began,
      failed,
    ]);
  });

  it("keeps the words of a refusal that concerns the client, and no others", async () => {
    const logged: string[] = [];
    const write = (fields: object, message: string) => {
      logged.push(JSON.stringify({ ...fields, message }));
    };
    const log = { debug: write, info: write, warn: write, error: write };
    await using bench = await createDoorBench({ log });
    const { key } = await bench.createKey();
    const said = {
      message: `too long for ${PROVIDER_KEY}`,
      type: "t",
      param: "messages",
      code: "c",
    };
    for (const [status, headers, expected, error] of [
      [400, {}, 400, { ...said, message: "too long for ***" }],
      [429, { "retry-after": "7" }, 429, { ...said, message: "too long for ***" }],
      [401, {}, 502, refused(401)],
      [404, {}, 502, refused(404)],
      [500, {}, 502, refused(500)],
      [302, { location: "http://127.0.0.1:1/" }, 502, refused(302)],
    ] as const) {
      bench.server.script(answerStatus(status, { error: said }, headers));
      const response = await complete(bench, key, { stream: status === 400 });
      assert.equal(response.headers.get("retry-after"), status === 429 ? "7" : null);
      assert.deepEqual((await json(response, expected)).error, error);
    }
    assert.deepEqual(await usageOf(bench), []);
    await json(await bench.ask(`${key}x`, "/models"), 401);
    for (const secret of [key, PROVIDER_KEY]) assert.ok(!logged.join().includes(secret));
  });

  it("that cannot be reached, or cannot be understood, is 502", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    bench.server.script(answerStatus(200, "<html>"), (exchange) => exchange.drop());
    const first = await json(await complete(bench, key), 502);
    assert.equal(first.error.message, "The provider's answer could not be understood.");
    const second = await json(await complete(bench, key), 502);
    assert.match(second.error.message, /^The model provider could not be reached/);
  });

  it("gets no address of a part if it runs in the engine's network", async () => {
    await using bench = await createDoorBench();
    const { key } = await bench.createKey();
    const part = (name: string, value: unknown) => ({ type: name, [name]: value });
    const data = "data:image/png;base64,AAAA";
    for (const [parts, param] of [
      [
        [part("image_url", { url: "http://192.168.0.1/x.png" })],
        "messages.0.content.0.image_url.url",
      ],
      [
        [part("text", "x"), part("image_url", "https://example.org/x.png")],
        "messages.0.content.1.image_url",
      ],
      [[part("video_url", { url: "file:///etc/passwd" })], "messages.0.content.0.video_url.url"],
    ] as const) {
      const messages = [{ role: "user", content: parts }];
      const { error } = await json(await complete(bench, key, { messages }), 400);
      assert.equal(error.param, param);
    }
    assert.equal(bench.server.exchanges.length, 0);
    bench.server.script(answerStatus(200, COMPLETION));
    const messages = [{ role: "user", content: [part("image_url", { url: data })] }];
    await json(await complete(bench, key, { messages }));
    assert.deepEqual(bench.server.exchanges[0]?.body.messages, messages);
  });

  it("is called no longer when its client goes away, or its key is revoked", async () => {
    await using bench = await createDoorBench();
    for (const stream of [false, true]) {
      for (const end of ["leave", "revoke"]) {
        const { key, uuid } = await bench.createKey();
        const client = new AbortController();
        bench.server.script(async (exchange) => {
          if (!stream) return;
          exchange.head(200, { "content-type": STREAM });
          await exchange.write(toEvents(began)[0] ?? "");
        });
        const arrived = bench.server.next();
        const response = complete(bench, key, { stream }, { signal: client.signal });
        const { cut } = await arrived;
        if (end === "leave") {
          if (stream) await (await response).body?.cancel();
          client.abort();
          await cut;
          continue;
        }
        const opened = stream ? await response : undefined;
        await empty(await bench.test.call("DELETE", `/client-keys/${uuid}`));
        await cut;
        if (opened) {
          const data = await dataOf(opened);
          assert.deepEqual(data.slice(0, -1), began);
          assert.equal((data.at(-1) as { error: { code: string } }).error.code, "invalid_api_key");
        } else {
          const { error } = await json(await response, 401);
          assert.equal(error.message, "The API key was revoked.");
        }
      }
    }
  });
});

function refused(status: number) {
  const message = `The model provider refused the call (${status}).`;
  return { message, type: "server_error", param: null, code: null };
}
