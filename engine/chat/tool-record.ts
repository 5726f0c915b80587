import { cutWithNotice } from "../cut-text.ts";
import type { FrozenObject } from "../models/json-object.ts";
import type { ModelAttachment, ModelMessage } from "../models/language-model.ts";
import type { Operation } from "../policies/operations.ts";
import type { ToolResult } from "../tools/builtin/builtin.ts";
import { TOOL_RESULT_BYTES_MAX } from "./limits.ts";
import type { SentResult } from "./turn-input.ts";

/** The outcome of a tool call. */
export type ToolEnd =
  | { status: "completed"; result: unknown; parts?: ToolResult["parts"] }
  | { status: "failed"; error: string }
  | { status: "denied"; error: string };

/** A tool call and its outcome. */
export interface EndedCall {
  toolCallId: string;
  toolName: string;
  operation: Operation;
  /** The raw text if it is not a JSON object. */
  arguments: FrozenObject | string;
  end: ToolEnd;
  durationMs: number;
  /** What the record may take of the result. */
  resultBytesMax: number;
}

/** The compact JSON that is stored as a message with the role `tool` (Engine §3, turn ordering 5). */
export function toToolRecord(call: EndedCall): string {
  const { end } = call;
  return JSON.stringify({
    tool_call_id: call.toolCallId,
    tool_name: call.toolName,
    operation: call.operation,
    arguments: call.arguments,
    status: end.status,
    ...(end.status === "completed"
      ? { result: cutResult(end.result, call.resultBytesMax) }
      : { error: cutWithNotice(end.error, TOOL_RESULT_BYTES_MAX) }),
    duration_ms: call.durationMs,
  });
}

const CUT_NOTICE_BYTES = 64;

/** The result as the model reads it, of at most `bytesMax` bytes. What its tool did not fit to them is cut. */
export function toSentResult(call: EndedCall, bytesMax: number): SentResult {
  const { toolCallId, toolName, end } = call;
  const whole = end.status === "completed" ? resultText(end.result) : end.error;
  const isCut = Buffer.byteLength(whole) > bytesMax;
  const output = isCut ? cutWithNotice(whole, Math.max(0, bytesMax - CUT_NOTICE_BYTES)) : whole;
  const { passages = [], leftOut } = (end.status === "completed" && end.parts) || {};
  const outcome = { toolCallId, toolName, output, failed: end.status !== "completed" };
  if (isCut) return { outcome, passages: [], leftOut: `the end of a result of ${toolName}` };
  return { outcome, passages, leftOut };
}

function cutResult(result: unknown, bytesMax: number): unknown {
  const text = resultText(result);
  const cut = cutWithNotice(text, bytesMax);
  return cut === text ? (result ?? null) : cut;
}

function resultText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "null");
}

/** Makes one message of the images of a step's calls, or none. Further ones are dropped if those of a turn take too much together. */
export function createImageCollector(bytesMax: number) {
  let bytesLeft = bytesMax;
  return (calls: readonly EndedCall[]): ModelMessage[] => {
    const attachments: ModelAttachment[] = [];
    for (const { toolName, end } of calls) {
      const images = (end.status === "completed" && end.parts?.images) || [];
      for (const [at, { mediaType, bytes }] of images.entries()) {
        if (bytes.length > bytesLeft) continue;
        bytesLeft -= bytes.length;
        attachments.push({ name: `${toolName}-${at + 1}`, mediaType, bytes });
      }
    }
    if (attachments.length === 0) return [];
    return [{ role: "user", content: "The images that the tools returned:", attachments }];
  };
}
