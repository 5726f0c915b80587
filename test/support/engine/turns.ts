import assert from "node:assert/strict";
import type { ModelPart, ModelUsage } from "../../../engine/models/language-model.ts";
import { ToolFailure } from "../../../engine/tools/builtin/builtin.ts";
import { NO_REACH } from "../../../engine/tools/builtin/reach.ts";
import type { Turn } from "../../../engine/turns/wire.ts";
import { json } from "../http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat, testTool } from "../providers/model.ts";
import {
  type ChatHarness,
  createChatHarness,
  type ReceivedFrame,
  type TestSocket,
} from "./chat.ts";
import type { TestEngine } from "./engine.ts";
import { openEventStream } from "./engine.ts";
import type { EventReader, StreamedEvent } from "./events.ts";

/** The newest turn, or the one of this uuid. */
export async function turnOf({ call }: Pick<TestEngine, "call">, uuid?: string): Promise<Turn> {
  if (uuid !== undefined) return json(await call("GET", `/turns/${uuid}`));
  return (await json(await call("GET", "/turns")))[0];
}

/** A step that says a text, then stops at nothing but its signal. */
export const endlessStep = (text: string) =>
  async function* (_request: unknown, signal: AbortSignal): AsyncIterable<ModelPart> {
    yield { type: "delta", text };
    await new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };

/** A step of these parts that reports its tokens. */
export const meteredStep = (usage: ModelUsage | undefined, ...parts: ModelPart[]) =>
  async function* (): AsyncIterable<ModelPart> {
    yield* parts;
    yield { type: "end", usage };
  };

/** Starts a turn over HTTP in the thread of a harness. */
export async function startTurn(harness: ChatHarness, body: object = {}): Promise<Turn> {
  const { test, threadUuid } = harness;
  const response = await test.call("POST", `/threads/${threadUuid}/turns`, {
    content: "go",
    ...body,
  });
  return json(response, 202);
}

/** Opens the events of a turn. */
export function openEvents(
  { test }: ChatHarness,
  { uuid }: Pick<Turn, "uuid">,
  query = "",
): Promise<EventReader> {
  return openEventStream(test, `/turns/${uuid}/events${query}`);
}

/** All events of a turn up to its end. */
export async function eventsOf(
  harness: ChatHarness,
  turn: Pick<Turn, "uuid">,
  query = "",
): Promise<StreamedEvent[]> {
  await using reader = await openEvents(harness, turn, query);
  return await reader.rest();
}

/** The text that a client shows after these events. */
export function textOf(events: readonly StreamedEvent[], before = ""): string {
  return events.reduce((text, { event, data }) => {
    if (event === "snapshot") return data.text;
    return event === "model.delta" ? text + data.delta : text;
  }, before);
}

/** Resolves with the record once the turn has ended. */
export async function endOf(harness: ChatHarness, turn: Pick<Turn, "uuid">): Promise<Turn> {
  return (await eventsOf(harness, turn)).at(-1)!.data;
}

/** A tool of each operation, and some that fail. */
export const TOOLS = [
  testTool("read_value", async (value) => ({ read: value })),
  testTool("create_value", async (value) => value),
  testTool("update_value", async (value) => value),
  testTool("delete_value", async () => undefined),
  testTool("get_failure", async () => {
    throw new ToolFailure("The path is not there.");
  }),
  testTool("get_fault", async () => {
    throw new Error("secret detail");
  }),
  testTool(
    "read_guarded",
    async () => "guarded",
    async () => ({ ...NO_REACH, protected: true }),
  ),
];

/** A chat whose model takes these steps, with a tool of each operation. */
export async function harnessOf(
  steps: ScriptedStep[],
  workspace: Record<string, unknown> = {},
  tools = TOOLS,
): Promise<ChatHarness & { model: ScriptedModel }> {
  const model = new ScriptedModel(...steps);
  // A summary would take a step of the script.
  const chat = scriptedChat(model, { tools, resolved: { canSummarize: false } });
  const harness = await createChatHarness({ chat }, workspace);
  return Object.assign(harness, { model });
}

/** Sends a message and returns the frames of its turn. */
export const chat = ({ socket, threadUuid }: ChatHarness, id = "t1", more = {}) =>
  socket.chat(id, { content: "go", thread_uuid: threadUuid, ...more });

/** Sends a message and does not wait for the end of its turn. */
export const send = ({ socket, threadUuid }: ChatHarness, id = "t1", more = {}) =>
  socket.say({
    type: "chat.send",
    id,
    data: { content: "go", thread_uuid: threadUuid, ...more },
  });

/** The types of the frames, and of a step's events the node. */
export const graph = (frames: ReceivedFrame[]) =>
  frames.map(({ type, data }) =>
    type === "agui.event" ? `${data.type} ${data.node_id ?? ""}`.trim() : type,
  );

/** Answers an approval request. */
export const answer = (socket: TestSocket, approval_id: string, decision: unknown, more = {}) =>
  socket.say({ type: "tool.approval.response", data: { approval_id, decision }, ...more });

/** The results of tools that a request to the model ends with. */
export const toolOutput = (model: ScriptedModel, request = 1) => {
  const message = model.requests[request]!.messages.at(-1)!;
  assert.ok(message.role === "tool");
  return message.results;
};
