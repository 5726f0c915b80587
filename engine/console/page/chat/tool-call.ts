import { isJsonObject, parseJson } from "../../../../shared/json.ts";
import type { ChatEvent } from "../../../client/client.ts";

/** A tool call of a turn, as its event or its stored record has it. */
export interface ToolCall {
  toolCallId: string;
  toolName: string;
  operation: string;
  state: "waiting" | "running" | "completed" | "failed" | "denied";
  /** Null before its end. */
  durationMs: number | null;
  /** Undefined until they are known; text if the model sent no JSON object. */
  arguments?: Readonly<Record<string, unknown>> | string;
  result?: unknown;
  error?: string;
  progress?: Extract<ChatEvent, { type: "tool" }>["progress"];
}

const ENDED = ["completed", "failed", "denied"] as const;

/** The call that a message of the role `tool` records; undefined if it is no record. */
export function parseToolRecord(content: string): ToolCall | undefined {
  const record = parseJson(content);
  if (!isJsonObject(record)) return undefined;
  const {
    tool_call_id,
    tool_name,
    operation,
    arguments: args,
    status,
    error,
    duration_ms,
  } = record;
  const state = ENDED.find((it) => it === status);
  if (typeof tool_name !== "string" || !state) return undefined;
  return {
    toolCallId: String(tool_call_id),
    toolName: tool_name,
    operation: String(operation),
    state,
    durationMs: typeof duration_ms === "number" ? duration_ms : null,
    arguments: isJsonObject(args) ? args : String(args ?? ""),
    result: record.result,
    ...(typeof error === "string" ? { error } : {}),
  };
}

/** A value as it is shown: text as it is, everything else as JSON. */
export function toShownText(value: unknown): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, undefined, 2) ?? "";
}
