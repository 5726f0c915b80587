import { json } from "../http.ts";
import { ScriptedModel, scriptedChat } from "../providers/model.ts";
import { type ChatHarness, createChatHarness } from "./chat.ts";
import { TEST_CONFIG } from "./engine.ts";
import { createTestFolder } from "./files.ts";
import { openEvents, startTurn, turnOf } from "./turns.ts";

/** A call that the model makes. */
export interface Call {
  name: string;
  args: Record<string, unknown>;
}

/** How a turn runs, and how its approvals are answered. */
interface TurnOptions {
  kind?: "http" | "websocket";
  threadUuid?: string;
  remember?: unknown;
  decision?: unknown;
  /** Further fields of a turn over HTTP. */
  body?: object;
}

/** What happened to the calls of a turn, one entry a call. */
export interface Outcome {
  /** Whether each was asked about. */
  asked: boolean[];
  statuses: string[];
  /** The bodies of refused decisions. */
  refused: { error: string; details?: string }[];
  grantUuids: string[];
}

export interface GrantHarness extends ChatHarness {
  model: ScriptedModel;
  folder: Awaited<ReturnType<typeof createTestFolder>>;
  /** Runs a turn that makes these calls, one step each; a question is approved unless the options say otherwise. */
  run(calls: readonly Call[], options?: TurnOptions): Promise<Outcome>;
  newThread(workspaceUuid?: string): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into grants of every shape.
  grants(query?: string): Promise<any[]>;
}

/** What `root` has in it; `root/data` is the engine's data directory. */
const TREE = {
  root: {
    notes: { "a.txt": "a", "b.txt": "b", "auth.json": "{}", sub: { "c.txt": "c" } },
    ".git": { "config.txt": "" },
    data: { "runtime.json": "{}", "auth.json": "{}" },
    "top.txt": "top",
  },
  outside: { "secret.txt": "outside" },
};

/** An engine with the built-in tools, and a workspace whose root is a folder; by default everything is asked about. */
export async function createGrantHarness(
  workspace: Record<string, unknown> = {},
): Promise<GrantHarness> {
  const folder = await createTestFolder(TREE);
  const model = new ScriptedModel();
  const config = { ...TEST_CONFIG, dataDirectory: folder.at("root", "data") };
  const harness = await createChatHarness(
    { chat: scriptedChat(model), config },
    { approvalConfig: null, directories: JSON.stringify([folder.at("root")]), ...workspace },
  );
  const { test } = harness;
  const run: GrantHarness["run"] = async (calls, options = {}) => {
    model.add(...calls.map(({ name, args }) => [{ call: name, args }]), ["done"]);
    const { kind = "http", threadUuid = harness.threadUuid } = options;
    return kind === "http"
      ? runOverHttp({ ...harness, threadUuid }, options)
      : runOverSocket({ ...harness, threadUuid }, options);
  };
  return Object.assign(harness, {
    model,
    folder,
    run,
    newThread: async (workspaceUuid = harness.workspaceUuid) =>
      (await json(await test.call("POST", "/threads", { workspaceUuid }))).uuid,
    grants: async (query = "") => json(await test.call("GET", `/approval-grants${query}`)),
    [Symbol.asyncDispose]: async () => {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  });
}

/** Runs a turn over HTTP that the model has its steps for. */
export async function runOverHttp(
  harness: ChatHarness,
  { remember, decision = "approve", body }: TurnOptions,
): Promise<Outcome> {
  const turn = await startTurn(harness, body);
  await using reader = await openEvents(harness, turn);
  const ended: Outcome = { asked: [], statuses: [], refused: [], grantUuids: [] };
  let asks = false;
  for (;;) {
    const { event, data } = (await reader.take(1))[0]!;
    if (event === "tool" && data.durationMs !== null) {
      ended.asked.push(asks);
      ended.statuses.push(data.state);
      asks = false;
    }
    if (event === "approval" && data.state === "waiting") {
      asks = true;
      const decide = (body: object) =>
        harness.test.call("POST", `/approvals/${data.uuid}`, { decision, ...body });
      const answer = await decide({ remember });
      if (answer.status === 200) continue;
      ended.refused.push(await json(answer, 400));
      await json(await decide({}));
    }
    if (event === "end") return { ...ended, grantUuids: data.grantUuids };
  }
}

async function runOverSocket(
  harness: ChatHarness,
  { decision = "approve" }: TurnOptions,
): Promise<Outcome> {
  const socket = harness.connect();
  const ended: Outcome = { asked: [], statuses: [], refused: [], grantUuids: [] };
  const before = (await harness.stored(harness.threadUuid)).length;
  let asked = 0;
  socket.onFrame = ({ type, data }) => {
    if (type !== "tool.approval.request") return;
    asked += 1;
    const answer = { approval_id: data.approval_id, decision };
    setImmediate(() => void socket.say({ type: "tool.approval.response", data: answer }));
  };
  await socket.chat("t", { content: "go", thread_uuid: harness.threadUuid });
  const stored = (await harness.stored(harness.threadUuid)).slice(before);
  const records = stored.filter(([role]) => role === "tool");
  ended.statuses = records.map(([, content]) => JSON.parse(content).status);
  // Of several calls nothing tells which were asked about: the first ones.
  ended.asked = records.map((_, at) => at < asked);
  return { ...ended, grantUuids: (await turnOf(harness.test)).grantUuids };
}
