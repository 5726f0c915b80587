import type { ToolCall } from "../models/language-model.ts";
import { type EndedCall, toToolRecord } from "./tool-record.ts";
import { type CallableTools, runToolCall, toProgress } from "./tool-runner.ts";
import { recordMessage } from "./transcript.ts";
import type { TurnContext } from "./turn-context.ts";

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
  journal.onTool({ ...toProgress(ended), state: ended.end.status, durationMs: ended.durationMs });
  signal.throwIfAborted();
  return ended;
}
