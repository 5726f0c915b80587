import assert from "node:assert/strict";
import { ToolFailure } from "../../../engine/tools/builtin/builtin.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat, testTool } from "../providers/model.ts";
import { type ChatWorld, createChatWorld } from "./chat.ts";
import type { ReceivedFrame, TestSocket } from "./socket.ts";

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
    async () => true,
  ),
];

/** A chat whose model takes these steps, with a tool of each operation. */
export async function worldOf(
  steps: ScriptedStep[],
  workspace: Record<string, unknown> = {},
  tools = TOOLS,
): Promise<ChatWorld & { model: ScriptedModel }> {
  const model = new ScriptedModel(...steps);
  const world = await createChatWorld({ chat: scriptedChat(model, { tools }) }, workspace);
  return Object.assign(world, { model });
}

/** Sends a message and returns the frames of its turn. */
export const chat = ({ socket, threadUuid }: ChatWorld, id = "t1", more = {}) =>
  socket.chat(id, { content: "go", thread_uuid: threadUuid, ...more });

/** Sends a message and does not wait for the end of its turn. */
export const send = ({ socket, threadUuid }: ChatWorld, id = "t1", more = {}) =>
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
