import { untilAborted } from "../../shared/until-aborted.ts";
import { CLIENT_TOOL_WAIT_MS } from "../limits.ts";
import type { ToolCall } from "../models/language-model.ts";
import type { ApprovalPolicy } from "../policies/approval.ts";
import { type Operation, operationOf } from "../policies/operations.ts";
import { type BuiltinTool, type ToolContext, ToolFailure } from "../tools/builtin/builtin.ts";
import { type FrozenObject, parseFrozenObject } from "./json-object.ts";
import type { Peer } from "./peer.ts";
import type { PendingReplies } from "./pending.ts";
import type { ChatDeps } from "./ports.ts";
import { assertWritable, type EndedCall, type ToolEnd } from "./tool-record.ts";
import type { ClientToolResult } from "./wire.ts";

/** What the user said to a tool call. */
export type Decision = "approved" | "denied";

/** The questions of one turn to its client. */
export interface Questions {
  approvals: PendingReplies<Decision>;
  clientTools: PendingReplies<ClientToolResult>;
}

/** What the tool calls of one turn have in common. */
export interface ToolRun {
  deps: ChatDeps;
  peer: Peer;
  turnId: string;
  signal: AbortSignal;
  questions: Questions;
  context: ToolContext;
  builtins: ReadonlyMap<string, BuiltinTool>;
  policy: ApprovalPolicy;
}

type Tool = { kind: "builtin"; builtin: BuiltinTool } | { kind: "ui"; name: string };

const DENIED = "The user denied this call.";
const TAKEN_BACK = "The client no longer offers this tool.";

/**
 * One tool call: classify, ask, run. What a tool reports is its end, and the turn goes on.
 * @throws the reason of the signal; or a fault inside a tool, which ends the turn.
 */
export async function runToolCall(run: ToolRun, call: ToolCall): Promise<EndedCall> {
  const { toolCallId, toolName, argumentsText } = call;
  const tool = findTool(run, toolName);
  const operation = tool?.kind === "builtin" ? tool.builtin.operation : operationOf(toolName);
  const args = parseFrozenObject(argumentsText);
  const about = { toolCallId, toolName, operation, arguments: args ?? argumentsText };
  if (!tool) return refused(about, `There is no tool named ${JSON.stringify(toolName)}.`);
  if (!args) return refused(about, "The arguments are not a JSON object.");

  const isProtected = await reachesProtected(run, tool, args);
  // Registered UI tools always ask (Engine §2, approval inheritance 4).
  if (isProtected || tool.kind === "ui" || run.policy[operation]) {
    const decision = await askUser(run, { toolName, operation, args });
    if (decision !== "approved") {
      return { ...about, end: { status: "denied", error: DENIED }, durationMs: 0 };
    }
  }
  const startedMs = run.deps.clock.now();
  const context = { ...run.context, protectedApproved: isProtected };
  const end = await runTool({ ...run, context }, tool, args);
  return { ...about, end, durationMs: run.deps.clock.now() - startedMs };
}

function findTool({ builtins, peer }: ToolRun, name: string): Tool | undefined {
  const builtin = builtins.get(name);
  if (builtin) return { kind: "builtin", builtin };
  return peer.uiTools().some((tool) => tool.name === name) ? { kind: "ui", name } : undefined;
}

function refused(about: Omit<EndedCall, "end" | "durationMs">, error: string): EndedCall {
  return { ...about, end: { status: "failed", error }, durationMs: 0 };
}

/** Looked at under every policy: what the user approved as an ordinary path does not reach the engine's own data. */
async function reachesProtected(run: ToolRun, tool: Tool, args: FrozenObject): Promise<boolean> {
  if (tool.kind === "ui") return false;
  try {
    const check = tool.builtin.needsApprovalAlways(run.context, args);
    return await untilAborted(run.signal, check);
  } catch (error) {
    // Bad arguments: `run` is going to say so.
    if (error instanceof ToolFailure) return false;
    throw error;
  }
}

function askUser(
  { peer, turnId, signal, questions, context }: ToolRun,
  call: { toolName: string; operation: Operation; args: FrozenObject },
): Promise<Decision | undefined> {
  const approval_id = crypto.randomUUID();
  const answer = questions.approvals.wait(approval_id, { signal });
  const { toolName: tool_name, operation, args } = call;
  const thread_uuid = context.thread.uuid;
  const data = { approval_id, thread_uuid, tool_name, arguments: args, operation };
  peer.send({ type: "tool.approval.request", id: turnId, data });
  return answer;
}

async function runTool(run: ToolRun, tool: Tool, args: FrozenObject): Promise<ToolEnd> {
  if (tool.kind === "ui") return runClientTool(run, tool.name, args);
  try {
    const running = tool.builtin.run(run.context, args, run.signal);
    const result = await untilAborted(run.signal, running);
    return { status: "completed", result };
  } catch (error) {
    if (run.signal.aborted) throw run.signal.reason;
    if (error instanceof ToolFailure) return { status: "failed", error: error.message };
    throw error;
  }
}

async function runClientTool(run: ToolRun, tool_name: string, args: FrozenObject) {
  const { deps, peer, turnId, signal, questions } = run;
  // The client may have taken its tool back while the user was asked.
  if (!findTool(run, tool_name)) return { status: "failed" as const, error: TAKEN_BACK };
  const request_id = crypto.randomUUID();
  const timeout = { ms: CLIENT_TOOL_WAIT_MS, timers: deps.timers };
  const answer = questions.clientTools.wait(request_id, { signal, timeout });
  const data = { request_id, tool_name, arguments: args };
  peer.send({ type: "client.tool.request", id: turnId, data });
  return toClientToolEnd(await answer);
}

function toClientToolEnd(reply: ClientToolResult | undefined): ToolEnd {
  if (!reply) return { status: "failed", error: "The client gave no result within 60 seconds." };
  if (!reply.ok) return { status: "failed", error: reply.error || "The client reports a failure." };
  try {
    assertWritable(reply.result);
  } catch {
    return { status: "failed", error: "The client's result is nested too deeply." };
  }
  return { status: "completed", result: reply.result };
}
