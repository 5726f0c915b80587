// Slow: it loads clients of others.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";
import OpenAI from "openai";
import {
  completionChunk,
  createDoorBench,
  LAST_CHUNKS,
  networkOf,
  toEvents,
} from "../../support/engine/door.ts";
import {
  ask,
  connect,
  createWorkspaceBench,
  type Messages,
  storedIn,
  user,
} from "../../support/engine/door-workspace.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { endlessStep, meteredStep } from "../../support/engine/turns.ts";
import { empty, json } from "../../support/http.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";
import { answerChunks } from "../../support/providers/server.ts";

describe("a workspace as a model", () => {
  it("answers whole and streamed, with what it used", async () => {
    const usage = { inputTokens: 5, outputTokens: 2 };
    const step = meteredStep(usage, { type: "delta", text: "Fo" }, { type: "delta", text: "ur." });
    await using bench = await createWorkspaceBench(step, step);
    const { text, usage: counted } = await ask(bench, [user("?")]);
    assert.equal(text, "Four.");
    assert.deepEqual(counted, { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 });
    const stream = bench.client.chat.completions.stream({
      model: "workspace/Notes",
      messages: [user("!")],
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    assert.equal(streamed.choices[0]?.message.content, "Four.");
    assert.equal(streamed.choices[0]?.finish_reason, "stop");
    assert.deepEqual(streamed.usage, counted);
  });

  it("passes images of the question on, and opens none that is elsewhere", async () => {
    await using bench = await createWorkspaceBench(["A dot."]);
    const image = (url: string): Messages => [
      {
        role: "user",
        content: [
          { type: "text", text: "?" },
          { type: "image_url", image_url: { url } },
        ],
      },
    ];
    for (const url of ["http://127.0.0.1:1/x.png", "file:///etc/passwd"]) {
      await assert.rejects(ask(bench, image(url)), OpenAI.BadRequestError);
    }
    const { threadUuid } = await ask(bench, image("data:image/png;base64,iVBORw=="));
    const [{ uuid }] = await json(await bench.test.call("GET", `/threads/${threadUuid}/messages`));
    const files = await json(await bench.test.call("GET", `/messages/${uuid}/attachments`));
    assert.deepEqual(
      files.map(({ mediaType }: { mediaType: string }) => mediaType),
      ["image/png"],
    );
  });

  it("ignores tools of the client, and shows none of its own calls", async () => {
    const call = { call: "read_value", args: { value: 1 } };
    await using bench = await createWorkspaceBench([call], ["Done."]);
    const tool = { type: "function" as const, function: { name: "mine", parameters: {} } };
    const request = { model: "workspace/Notes", messages: [user("?")], tools: [tool] };
    const stream = bench.client.chat.completions.stream(request);
    const { choices } = await stream.finalChatCompletion();
    assert.equal(choices[0]?.message.content, "Done.");
    assert.equal(choices[0]?.message.tool_calls, undefined);
    const offered = bench.model.requests[0]?.tools.map(({ name }) => name) ?? [];
    assert.ok(offered.includes("read_value") && !offered.includes("mine"));
  });

  it("names the passages that the model got as citations, with no type that the AI SDK refuses", async () => {
    const read = { call: "read_workspace_file", args: { root_index: 0, path: "a b.md" } };
    const says = "It says so in a b.md:1-2.";
    await using folder = await createTestFolder({ "a b.md": "one\ntwo\n" });
    const model = new ScriptedModel([read], [says], [read], [says]);
    await using bench = await createDoorBench({ chat: scriptedChat(model) });
    const input = {
      name: "Notes",
      directories: JSON.stringify([folder.path]),
      approvalConfig: '{"read":false}',
    };
    await json(await bench.test.call("POST", "/workspaces", input));
    const { key } = await bench.createKey();
    const client = connect(bench, key);
    const { message } = await ask({ client }, [user("?")]);
    const url = `${pathToFileURL(folder.path)}/a%20b.md#L1-2`;
    const citation = { url, title: "a b.md:1-2", start_index: 14, end_index: 24 };
    assert.deepEqual(message?.annotations, [{ type: "url_citation", url_citation: citation }]);
    const request = { model: "workspace/Notes", messages: [user("!")], stream: true as const };
    const annotations: unknown[] = [];
    for await (const { choices } of await client.chat.completions.create(request)) {
      const delta = choices[0]?.delta ?? {};
      if ("annotations" in delta) annotations.push(delta.annotations);
    }
    assert.deepEqual(annotations, [message?.annotations]);
  });

  it("asks in the inbox with the name of the key, and uses no grant of the workspace", async () => {
    const call = { call: "create_value", args: { value: 1 } };
    await using bench = await createWorkspaceBench([call], ["1"], [call], ["2"], [call], ["3"]);
    const inbox = async () => {
      for (;;) {
        const waiting = await json(await bench.test.call("GET", "/approvals"));
        if (waiting.length > 0) return waiting[0];
        await new Promise(setImmediate);
      }
    };
    const decide = async (remember?: object) => {
      const { uuid, clientKey } = await inbox();
      assert.deepEqual(clientKey, { uuid: bench.keyUuid, name: "Program" });
      const body = { decision: "approve", remember };
      await json(await bench.test.call("POST", `/approvals/${uuid}`, body));
    };
    const first = ask(bench, [user("one")], "a");
    await decide({ scope: "workspace", match: "tool" });
    assert.equal((await first).text, "1");
    const second = ask(bench, [user("two")], "a");
    await decide({ scope: "thread", match: "tool" });
    assert.equal((await second).text, "2");
    assert.equal((await ask(bench, [user("three")], "a")).text, "3");
  });

  it("has an error and no end for a turn that fails, and for one whose key is revoked", async () => {
    const fails = async function* () {
      yield { type: "delta" as const, text: "Fo" };
      throw new Error("secret detail");
    };
    await using bench = await createWorkspaceBench(
      fails,
      fails,
      endlessStep("Fo"),
      endlessStep("Fo"),
    );
    await assert.rejects(ask(bench, [user("?")]), OpenAI.InternalServerError);
    const stream = async () => {
      const request = { model: "workspace/Notes", messages: [user("?")], stream: true as const };
      const chunks = await bench.client.chat.completions.create(request);
      const reasons: unknown[] = [];
      for await (const { choices } of chunks) {
        reasons.push(choices[0]?.finish_reason);
        if (choices[0]?.delta.content === "Fo") await onText?.();
      }
      return reasons;
    };
    let onText: (() => Promise<void>) | undefined;
    await assert.rejects(stream(), OpenAI.APIError);
    const whole = ask(bench, [user("!")]);
    // Its turn runs before the key goes.
    while (bench.model.requests.length < 3) await new Promise(setImmediate);
    onText = () => bench.test.call("DELETE", `/client-keys/${bench.keyUuid}`).then((r) => empty(r));
    await assert.rejects(stream(), OpenAI.APIError);
    await assert.rejects(whole, OpenAI.APIError);
    const turns = await json(await bench.test.call("GET", "/turns?limit=2"));
    assert.deepEqual(
      turns.map(({ state }: { state: string }) => state),
      ["cancelled", "cancelled"],
    );
  });

  it("goes on where its client leaves, and is found again", async () => {
    const opened = Promise.withResolvers<void>();
    const slow = async function* () {
      yield { type: "delta" as const, text: "Fo" };
      await opened.promise;
      yield { type: "delta" as const, text: "ur." };
      yield { type: "end" as const, usage: undefined };
    };
    await using bench = await createWorkspaceBench(slow, ["2"]);
    const request = { model: "workspace/Notes", messages: [user("?")], stream: true as const };
    const { data, response } = await bench.client.chat.completions.create(request).withResponse();
    for await (const { choices } of data) if (choices[0]?.delta.content === "Fo") break;
    const threadUuid = response.headers.get("x-thread-uuid") ?? "";
    await assert.rejects(ask(bench, [user("!")], threadUuid), OpenAI.BadRequestError);
    opened.resolve();
    while ((await storedIn(bench, threadUuid)).length < 2) await new Promise(setImmediate);
    assert.deepEqual(await storedIn(bench, threadUuid), [
      ["user", "?"],
      ["assistant", "Four."],
    ]);
  });

  it("has a comment every 15 s while it is silent", async () => {
    const opened = Promise.withResolvers<void>();
    const slow = async function* () {
      await opened.promise;
      yield { type: "delta" as const, text: "Four." };
      yield { type: "end" as const, usage: undefined };
    };
    await using bench = await createWorkspaceBench(slow);
    const { key } = await bench.createKey();
    const body = { model: "workspace/Notes", messages: [user("?")], stream: true };
    const response = await bench.ask(key, "/chat/completions", body);
    for (let passed = 0; passed < 2; passed += 1) bench.test.deps.clock.advance(15_000);
    opened.resolve();
    const text = await response.text();
    assert.equal(text.match(/^: the turn goes on$/gm)?.length, 2);
    assert.match(text, /data: \[DONE\]\n\n$/);
  });

  it("runs 8 turns of a key at a time, and one of a thread", async () => {
    await using bench = await createWorkspaceBench(
      ...Array.from({ length: 8 }, () => endlessStep("x")),
    );
    const request = { model: "workspace/Notes", messages: [user("?")], stream: true as const };
    const start = (label: string) =>
      bench.client.chat.completions.create(request, { headers: { "X-Thread": label } });
    for (let at = 0; at < 8; at += 1) await start(`t${at}`);
    await assert.rejects(start("t0"), OpenAI.ConflictError);
    await assert.rejects(start("t8"), OpenAI.RateLimitError);
    await empty(await bench.test.call("DELETE", `/client-keys/${bench.keyUuid}`));
    const turns = await json(await bench.test.call("GET", "/turns?state=running"));
    assert.deepEqual(turns, []);
  });

  it("is answered by the oldest model where none is the default, not by echo", async () => {
    await using bench = await createDoorBench();
    await json(await bench.test.call("POST", "/workspaces", { name: "Notes" }));
    const { key } = await bench.createKey();
    bench.server.script(
      answerChunks(
        "text/event-stream",
        toEvents([completionChunk({ content: "Four." }), ...LAST_CHUNKS, "[DONE]"]),
      ),
    );
    assert.equal((await ask({ client: connect(bench, key) }, [user("?")])).text, "Four.");
    const [{ model }] = await json(await bench.test.call("GET", "/turns"));
    assert.equal(model, bench.modelId);
  });

  it("is understood by the AI SDK", async () => {
    await using bench = await createWorkspaceBench(["Four."]);
    const { key: apiKey } = await bench.createKey();
    const fetch = networkOf(bench.test);
    const options = { name: "roundhouse", apiKey, baseURL: "http://127.0.0.1/openai/v1", fetch };
    const model = createOpenAICompatible(options)("workspace/Notes");
    assert.equal((await generateText({ model, prompt: "?" })).text, "Four.");
  });
});
