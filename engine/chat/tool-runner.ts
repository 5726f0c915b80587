import type { Grant, GrantableCall } from "../grants/grant.ts";
import { useGrant } from "../grants/store.ts";
import { type FrozenObject, parseFrozenObject } from "../models/json-object.ts";
import type { ToolCall } from "../models/language-model.ts";
import { type ApprovalPolicy, operationOf } from "../policies/operations.ts";
import {
  type BuiltinTool,
  needsApprovalAlways,
  type Reach,
  type ToolContext,
  ToolFailure,
  ToolResult,
} from "../tools/builtin/builtin.ts";
import { untilAborted } from "../until-aborted.ts";
import type { ApprovalRequest, Decision } from "./journal.ts";
import { CLIENT_TOOL_WAIT_MS, TOOL_RESULT_BYTES_MAX } from "./limits.ts";
import { type EndedCall, type ToolEnd, toToolRecord } from "./tool-record.ts";
import { recordMessage } from "./transcript.ts";
import type { TurnContext } from "./turn-context.ts";
import { UI_GROUP } from "./turn-tools.ts";
import { type ClientToolResult, referredFiles } from "./wire.ts";

/** The tools of a turn and the approval policy for them. */
export interface CallableTools {
  /** The tools that the engine runs, by name. */
  tools: ReadonlyMap<string, BuiltinTool>;
  policy: ApprovalPolicy;
  /** What the result of the call may take. */
  resultBytes: number;
}

/** A tool that a call may run. One without a reach is the client's. */
type CallableTool = Omit<BuiltinTool, "doc" | "spec" | "reach"> &
  Partial<Pick<BuiltinTool, "reach">>;

const DENIED = "The user denied this call.";
const UNREGISTERED = "The client no longer offers this tool.";

/**
 * One tool call: classify, ask for approval, run. A failure that a tool reports is a result; the turn continues.
 * @throws the reason of the signal; or a fault inside a tool, which ends the turn.
 */
async function runToolCall(
  turn: TurnContext,
  { tools, policy, resultBytes }: CallableTools,
  call: ToolCall,
): Promise<EndedCall> {
  const { toolCallId, toolName, argumentsText } = call;
  const tool: CallableTool | undefined = tools.get(toolName) ?? findUiTool(turn, toolName);
  const operation = tool?.operation ?? operationOf(toolName);
  const args = parseFrozenObject(argumentsText);
  const resultBytesMax = tool?.resultBytesMax ?? TOOL_RESULT_BYTES_MAX;
  const head = { toolCallId, toolName, operation };
  const about = { ...head, arguments: args ?? argumentsText, resultBytesMax };
  if (!tool) return toRefused(about, `There is no tool named ${JSON.stringify(toolName)}.`);
  if (!args) return toRefused(about, "The arguments are not a JSON object.");

  const reach = await reachOf(turn, tool, args);
  // Registered UI tools always ask (Engine §2, approval inheritance 4).
  const asksAlways = !tool.reach || (reach !== undefined && needsApprovalAlways(reach));
  const grantable = reach && toGrantable(tool, reach);
  let approved: ToolContext["approved"] = reach;
  const asks = asksAlways || policy[operation];
  const grant = asks && !asksAlways && grantable ? await findGrant(turn, grantable) : undefined;
  if (grant) {
    const { folder } = grant;
    const granted = { folder, writes: operation !== "read" };
    approved = { protected: false, sensitive: false, granted };
  } else if (asks) {
    turn.journal.onTool({ ...head, state: "waiting", durationMs: null });
    const serverName = tool.serverName ?? null;
    const request = { toolName, serverName, operation, arguments: args };
    const decision = await askUser(turn, request, grantable);
    if (decision !== "approved") {
      return { ...about, end: { status: "denied", error: DENIED }, durationMs: 0 };
    }
  }
  const running = { ...head, state: "running", durationMs: null } as const;
  turn.journal.onTool(running);
  const { clock } = turn.deps;
  const startedMs = clock.now();
  const context: ToolContext = {
    ...toToolContext(turn, Math.min(resultBytes, resultBytesMax)),
    ...(approved && { approved }),
    onProgress: (progress) => turn.journal.onTool({ ...running, progress }),
  };
  const end = await runTool(turn, tool, { context, args });
  return { ...about, end, durationMs: clock.now() - startedMs };
}

function toRefused(about: Omit<EndedCall, "end" | "durationMs">, error: string): EndedCall {
  return { ...about, end: { status: "failed", error }, durationMs: 0 };
}

function toToolContext(
  { deps, workspace, thread, files }: TurnContext,
  resultBytesMax: number,
): ToolContext {
  return { deps, workspace, thread, taggedFiles: referredFiles(files), resultBytesMax };
}

/** Looked at under every policy: approval of an ordinary path covers neither the engine's own data nor sensitive files. */
async function reachOf(
  turn: TurnContext,
  tool: CallableTool,
  args: FrozenObject,
): Promise<Reach | undefined> {
  if (!tool.reach) return undefined;
  try {
    return await untilAborted(turn.signal, tool.reach(toToolContext(turn, 0), args));
  } catch (error) {
    // Bad arguments: `run` reports them.
    if (error instanceof ToolFailure) return undefined;
    throw error;
  }
}

function toGrantable(tool: CallableTool, reach: Reach): GrantableCall {
  const { name: toolName, group, operation } = tool;
  return { toolName, group, operation, reach, server: tool.server?.() ?? null };
}

/** The grant by which the call runs without a question. */
async function findGrant(turn: TurnContext, call: GrantableCall): Promise<Grant | undefined> {
  const { deps, thread, signal, journal, client } = turn;
  // A person's grants for a workspace never serve another program's prompt.
  const place = { threadUuid: thread.uuid, threadAlone: client !== undefined };
  const grant = await untilAborted(signal, useGrant(deps, { ...call, ...place }));
  if (grant) journal.onGranted(grant.uuid);
  return grant;
}

function askUser(
  { id, peer, signal, thread, journal }: TurnContext,
  call: Omit<ApprovalRequest, "uuid">,
  grantable: GrantableCall | undefined,
): Promise<Decision> {
  const uuid = crypto.randomUUID();
  const { toolName: tool_name, operation, arguments: args } = call;
  const head = { approval_id: uuid, thread_uuid: thread.uuid };
  const data = { ...head, tool_name, arguments: args, operation };
  const onWaiting = () => peer.send({ type: "tool.approval.request", id, data });
  return journal.requestApproval({ uuid, ...call }, { signal, onWaiting, call: grantable });
}

async function runTool(
  { signal }: TurnContext,
  tool: CallableTool,
  { context, args }: { context: ToolContext; args: FrozenObject },
): Promise<ToolEnd> {
  try {
    const result = await untilAborted(signal, tool.run(context, args, signal));
    return result instanceof ToolResult
      ? { status: "completed", result: result.value, parts: result.parts }
      : { status: "completed", result };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ToolFailure) return { status: "failed", error: error.message };
    throw error;
  }
}

/** A tool that the client offers now. */
function findUiTool(turn: TurnContext, name: string): CallableTool | undefined {
  if (!turn.peer.uiTools().some((tool) => tool.name === name)) return undefined;
  const run = (_: ToolContext, args: unknown) => runInClient(turn, name, args as FrozenObject);
  return { group: UI_GROUP, name, operation: operationOf(name), run };
}

/** @throws ToolFailure if the client gives no result, or reports a failure */
async function runInClient(turn: TurnContext, tool_name: string, args: FrozenObject) {
  const { id, deps, peer, signal, clientTools } = turn;
  // The client may have unregistered its tool while the approval was pending.
  if (!findUiTool(turn, tool_name)) throw new ToolFailure(UNREGISTERED);
  const request_id = crypto.randomUUID();
  const result = Promise.withResolvers<ClientToolResult | undefined>();
  clientTools.set(request_id, result.resolve);
  const stopTimer = deps.timers.after(CLIENT_TOOL_WAIT_MS, () => result.resolve(undefined));
  peer.send({ type: "client.tool.request", id, data: { request_id, tool_name, arguments: args } });
  try {
    return resultOf(await untilAborted(signal, result.promise));
  } finally {
    stopTimer();
    clientTools.delete(request_id);
  }
}

function resultOf(reply: ClientToolResult | undefined): unknown {
  if (!reply) throw new ToolFailure("The client gave no result within 60 seconds.");
  if (!reply.ok) throw new ToolFailure(reply.error || "The client reports a failure.");
  try {
    JSON.stringify(reply.result);
  } catch {
    throw new ToolFailure("The client's result is nested too deeply.");
  }
  return reply.result;
}

/** One tool call, stored in the thread and shown to clients that follow the turn. @throws as `runToolCall` */
export async function runRecordedCall(
  turn: TurnContext,
  callable: CallableTools,
  call: ToolCall,
): Promise<EndedCall> {
  const { deps, peer, thread, signal, journal } = turn;
  const ended = await runToolCall(turn, callable, call);
  signal.throwIfAborted();
  const content = toToolRecord(ended);
  await recordMessage(deps, peer, { threadUuid: thread.uuid, role: "tool", content });
  const { toolCallId, toolName, operation, end, durationMs } = ended;
  journal.onTool({ toolCallId, toolName, operation, state: end.status, durationMs });
  signal.throwIfAborted();
  return ended;
}
