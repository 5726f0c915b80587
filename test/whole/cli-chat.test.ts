import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "../../engine/client/node.ts";
import type { Timers } from "../../shared/clock.ts";
import { answering, cli, cliProcess, END_OF_INPUT } from "../support/engine/cli.ts";
import { sharedFolder } from "../support/engine/files.ts";
import { startRpcServer } from "../support/engine/mcp.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import {
  answerStatus,
  type Exchange,
  type ProviderServer,
  type Reply,
  startProviderServer,
} from "../support/providers/server.ts";
import { PROVIDER_WIRES, type Said } from "../support/providers/wires.ts";
import { until } from "../support/time.ts";

const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;
const folder = sharedFolder();
const notes = join(folder, "notes");
let engine: EngineProcess;
let provider: ProviderServer;
let env: Record<string, string>;
let model: string;

before(async () => {
  mkdirSync(notes);
  writeFileSync(join(notes, "plan.md"), "# Plan\n\nThe zeppelin leaves at noon.\n");
  provider = await startProviderServer();
  engine = await startEngineProcess();
  env = { ENGINE_DATA_DIR: engine.dataDirectory };
  const input = { provider: wire.provider, model: "m", baseUrl: provider.url + wire.basePath };
  await setTitles("off");
  model = (
    (await (await engine.call("POST", "/model-configurations", input)).json()) as { id: string }
  ).id;
});
after(async () => {
  await engine[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const setTitles = (value: string) =>
  engine.call("PUT", "/settings", [{ key: "titles.auto", value }]);
const says =
  (...said: Said[]): Reply =>
  async (exchange) => {
    exchange.head(200, { "content-type": wire.contentType });
    for (const chunk of wire.chunks(said)) await exchange.write(chunk);
    exchange.end();
  };
const reads: Said = {
  call: {
    id: "1",
    name: "read_workspace_file",
    fragments: ['{"root_index":0,"path":"plan.md"}'],
  },
};

// What may reach no terminal from elsewhere: controls but tab and line feed, and marks of direction.
const HARMFUL = /[\0-\b\v-\u001f\u007f-\u009f\u202a-\u202e]/;

describe("chat", () => {
  it("answers with echo where it is asked to, in a workspace that it makes", async () => {
    const { code, out, error } = await cliProcess(env, ["chat", "hello", "there", "--model=echo"]);
    assert.equal(code, 0);
    assert.equal(out, "hello there\n");
    assert.doesNotMatch(error, /No model is connected/);
  });

  it("asks the oldest configured model, and says so, where none is the default", async () => {
    const input = { provider: "openai-compatible", model: "newer", baseUrl: provider.url };
    const newer = await json(await engine.call("POST", "/model-configurations", input), 201);
    provider.script(says({ text: "I am m." }));
    const args = ["chat", "who?", "--workspace", "First steps", "--effort", "low"];
    const { code, out, error } = await cli(env, args);
    assert.equal(code, 0, error);
    assert.equal(out, "I am m.\n");
    assert.match(error, new RegExp(`^No default model is set, so m answers: .*default ${model}`));
    const threads = await json(await engine.call("GET", "/turns?limit=1"));
    assert.equal(threads[0].model, model);
    assert.equal(provider.exchanges.at(-1)?.body.reasoning_effort, "low");
    await engine.call("DELETE", `/model-configurations/${newer.id}`);
  });

  it("asks before a tool reads, and ends with what it read", async () => {
    // Every approval is asked in it, as in one that another client made.
    const asking = { name: "notes", directories: JSON.stringify([notes]) };
    await engine.call("POST", "/workspaces", asking);
    provider.script(says(reads), says({ text: "At noon." }));
    const args = ["chat", "When?", "--root", "notes", "--model", model];
    const { code, out, error } = await cli(env, args, { folder, ...answering("y") });
    assert.equal(code, 0, error);
    assert.match(
      error,
      /read_workspace_file \(read\) \{\n {2}"root_index": 0,\n {2}"path": "plan\.md"/,
    );
    assert.equal(out, `At noon.\n\nSources:\n  ${join(notes, "plan.md")}:1-3\n`);
  });

  it("denies without a terminal, and says so; --json has text and sources", async () => {
    provider.script(says(reads), says({ text: "I may not." }));
    const args = ["chat", "When?", "--workspace", "notes", "--model", model];
    const denied = await cli(env, args, { folder });
    assert.equal(denied.out, "I may not.\n");
    assert.match(denied.error, /^Denied, because no terminal can ask: read_workspace_file/);
    provider.script(says({ text: "Hello." }));
    const { json, error } = await cli(env, [...args, "--json"]);
    assert.equal(error, "");
    assert.equal(json[0].text, "Hello.");
    assert.deepEqual(json[0].sources, []);
  });

  it("keeps a model from moving the cursor", async () => {
    provider.script(says({ text: "\u001b[2Jgone\u202e" }));
    const { out } = await cli(env, ["chat", "x", "--workspace", "notes", "--model", model]);
    assert.equal(out, "[2Jgone\n");
  });

  it("keeps names and the sentences of providers from it, too", async () => {
    const named = { name: "evil\u001b[2J\u009b31m" };
    await engine.call("POST", "/workspaces", named);
    provider.script(async (exchange) => {
      exchange.head(400, { "content-type": "application/json" });
      await exchange.write(JSON.stringify(wire.errorBody("bad\u001b[2J\u009b31m\u202e")));
      exchange.end();
    });
    const asked = ["chat", "x", "--model", model, "--workspace"];
    const failed = await cli(env, [...asked, "notes"]);
    assert.match(failed.error, /It said: bad\[2J31m/);
    const unknown = await cli(env, [...asked, "nowhere\u009b31m"]);
    assert.match(unknown.error, /There is no workspace .*evil/s);
    const wrong = await cli(env, ["nothing\u001b[2J"]);
    assert.match(wrong.error, /unknown command/);
    for (const { error } of [failed, unknown, wrong]) assert.doesNotMatch(error, HARMFUL);
  });

  it("shows in an approval what cannot be seen", async () => {
    const path = "a\u202etxt.md\u200b";
    const hidden = { name: "read_workspace_file", fragments: [JSON.stringify({ path })] };
    provider.script(says({ call: { id: "1", ...hidden } }), says({ text: "No." }));
    const args = ["chat", "x", "--workspace", "notes", "--model", model];
    const { error } = await cli(env, args, { folder, ...answering("n") });
    assert.match(error, /"path": "a\\u\{202e\}txt\.md\\u\{200b\}"/);
  });

  it("names the server of a tool in its question", async () => {
    await using server = await startRpcServer({}, [{ name: "delete" }]);
    const record = { name: "git_hub", toolType: "mcp", endpointUrl: server.url };
    const { uuid } = await json(await engine.call("POST", "/tool-registry", record), 201);
    const toolsConfig = JSON.stringify({ mcp: { [uuid]: { enabled: true } } });
    await json(await engine.call("POST", "/workspaces", { name: "served", toolsConfig }));
    const call = { id: "1", name: "mcp_github_delete", fragments: ["{}"] };
    provider.script(says({ call }), says({ text: "No." }));
    const args = ["chat", "x", "--workspace", "served", "--model", model];
    const { out, error } = await cli(env, args, answering("n"));
    assert.match(error, /Call mcp_github_delete on git_hub\?/);
    assert.equal(out, "No.\n");
    assert.ok(!server.takeRequests().some(({ body }) => body.includes("tools/call")));
  });

  it("leaves the approvals of other clients' turns to `approvals`", async () => {
    const [workspace] = (await json(await engine.call("GET", "/workspaces"))).filter(
      ({ name }: { name: string }) => name === "notes",
    );
    await using client = await connect({ dataDirectory: engine.dataDirectory });
    for (const [decision, said, what] of [
      ["approve", "At noon.", "is allowed once"],
      ["deny", "I may not.", "is not allowed"],
    ] as const) {
      provider.script(says(reads), says({ text: said }));
      const asked: string[] = [];
      const onApproval = async () => {
        const { out } = await cli(env, ["approvals"]);
        const uuid = out.slice(0, 36);
        const decided = await cli(env, ["approvals", decision, uuid]);
        asked.push(out, decided.out, uuid);
        // The first decision counts.
        return decision === "deny";
      };
      const ask = { workspaceUuid: workspace.uuid, content: "When?", modelId: model };
      assert.equal((await client.chat(ask, { onApproval })).text, said);
      const [listed = "", decided, uuid = ""] = asked;
      assert.match(listed, /^[0-9a-f-]{36} {2}read_workspace_file \(read\) \{.*"path":"plan\.md"/);
      assert.equal(decided, `read_workspace_file ${what}.\n`);
      const again = await cli(env, ["approvals", decision, uuid]);
      assert.deepEqual([again.code, again.error], [1, "The approval is already settled.\n"]);
    }
    assert.match((await cli(env, ["approvals"])).error, /^No tool calls are waiting for approval/);
    const unknown = await cli(env, ["approvals", "deny", crypto.randomUUID()]);
    assert.deepEqual([unknown.code, /No call .* is waiting/.test(unknown.error)], [1, true]);
    for (const args of [["approve"], ["deny", "nope"], ["later", "nope"]])
      assert.equal((await cli(env, ["approvals", ...args])).code, 2, args.join(" "));
  });

  it("cancels its turn with the signal of Ctrl-C", async () => {
    const stop = new AbortController();
    provider.script(async (exchange) => {
      exchange.head(200, { "content-type": wire.contentType });
      await exchange.write(wire.chunks([{ text: "I begin" }])[0]!);
      await exchange.cut;
    });
    const onWrite = (text: string) => {
      if (text.includes("I begin")) stop.abort();
    };
    const args = ["chat", "long", "--workspace", "notes", "--model", model];
    const { code, out, error } = await cli(env, args, { signal: stop.signal, onWrite });
    assert.equal(code, 1);
    assert.equal(error, "Stopped.\n");
    assert.equal(out, "I begin\n", "what stopped it stands on a line of its own");
    const exported = await cli(env, ["export", "--format", "markdown"]);
    assert.match(exported.out, /\*\*assistant, stopped\*\*, .* at \d\d:\d\d\n\nI begin\n/);
    const [turn] = (await (await engine.call("GET", "/turns?limit=1")).json()) as {
      state: string;
    }[];
    assert.equal(turn?.state, "cancelled");
  });

  it("holds a conversation in one thread, until an empty line", async () => {
    const args = ["chat", "--workspace", "First steps", "--model", "echo"];
    const { code, out } = await cli(env, args, answering("one\r", "two\r"));
    assert.equal(code, 0);
    assert.equal(out, "one\ntwo\n");
    const turns = (await (await engine.call("GET", "/turns?limit=2")).json()) as {
      threadUuid: string;
    }[];
    assert.equal(turns[0]?.threadUuid, turns[1]?.threadUuid);
  });

  it("goes on with a conversation after a turn that failed, and ends it with the input", async () => {
    provider.script(
      async (exchange) => {
        exchange.head(401, { "content-type": "application/json" });
        exchange.end();
      },
      says({ text: "Here I am." }),
    );
    const args = ["chat", "--workspace", "notes", "--model", model];
    const person = answering("one\r", "two\r", END_OF_INPUT);
    const { code, out, error } = await cli(env, args, person);
    assert.equal(code, 0, error);
    assert.equal(out, "Here I am.\n");
    assert.match(error, /refused the credentials \(401\)/);
    const turns = (await (await engine.call("GET", "/turns?limit=2")).json()) as {
      threadUuid: string;
      state: string;
    }[];
    assert.deepEqual(
      turns.map(({ state }) => state),
      ["completed", "failed"],
    );
    assert.equal(turns[0]?.threadUuid, turns[1]?.threadUuid);
  });

  it("says what a turn failed with, and which text it lacks", async () => {
    const failed = await cli(env, ["chat", "x", "--model", "nope"]);
    assert.match(failed.error, /The requested model does not exist/);
    const empty = await cli(env, ["chat"]);
    assert.match(empty.error, /missing argument 'text'/);
    assert.deepEqual([failed.code, empty.code], [1, 2]);
  });
});

describe("the title of a new thread", () => {
  const isTitle = ({ body }: Exchange) =>
    JSON.stringify(body).includes("Give the conversation a title");
  /** Answers a question, or does this for the title. The two may come in any order. */
  const orTitle =
    (text: string, title: Reply): Reply =>
    (exchange) =>
      (isTitle(exchange) ? title : says({ text }))(exchange);
  const newestThread = async () => {
    const [{ threadUuid }] = await json(await engine.call("GET", "/turns?limit=1"));
    return json(await engine.call("GET", `/threads/${threadUuid}`));
  };
  let args: string[];
  before(async () => {
    await setTitles("on");
    args = ["--workspace", "notes", "--model", model];
  });
  after(() => setTitles("off"));

  it("is asked for once the answer of `chat TEXT` is printed; a failure is silent", async () => {
    const printed = Promise.withResolvers<void>();
    const onWrite = (text: string) => void (text.includes("At noon.") && printed.resolve());
    const refuses: Reply = async (exchange) => {
      await printed.promise;
      await answerStatus(401, {})(exchange);
    };
    provider.script(says({ text: "At noon." }), refuses);
    const { code, out, error } = await cli(env, ["chat", "When?", ...args], { onWrite });
    assert.deepEqual([code, out, error], [0, "At noon.\n", ""]);
    assert.ok(isTitle(provider.exchanges.at(-1)!));
    assert.equal((await newestThread()).title, "When?");
  });

  it("holds `chat TEXT` no longer than its deadline, and is given up then", async () => {
    const late = Promise.withResolvers<void>();
    const cut = Promise.withResolvers<void>();
    provider.script(says({ text: "At noon." }), async (exchange) => {
      late.resolve();
      await exchange.cut;
      cut.resolve();
    });
    const timers: Timers = {
      after(_delayMs, run) {
        late.promise.then(run);
        return () => {};
      },
    };
    const { code, out } = await cli(env, ["chat", "When?", ...args], { timers });
    assert.deepEqual([code, out], [0, "At noon.\n"]);
    await cut.promise;
  });

  it("comes beside the next question of a conversation, once", async () => {
    const second = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const title: Reply = async (exchange) => {
      asked.resolve();
      await second.promise;
      await says({ text: "Departures" })(exchange);
    };
    const replies = Array.from({ length: 4 }, () => orTitle("Yes.", title));
    provider.script(...replies);
    const before = provider.exchanges.length;
    const isTitled = async () => (await newestThread()).title === "Departures";
    const end = asked.promise.then(() => until("The title", isTitled)).then(() => "\r");
    const person = answering("When?\r", "And then?\r", "And at last?\r", end);
    let answered = 0;
    const onWrite = (text: string) => {
      answered += text.includes("Yes.") ? 1 : 0;
      // The title is still to come.
      if (answered === 2) second.resolve();
      person.onWrite(text);
    };
    const { code, error } = await cli(env, ["chat", ...args], { ...person, onWrite });
    assert.equal(code, 0, error);
    assert.equal(provider.exchanges.slice(before).filter(isTitle).length, 1);
  });
});
