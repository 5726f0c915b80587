import { isJsonObject, parseJson } from "../../../../shared/json.ts";
import type { ChatEvent } from "../../../client/client.ts";

/** What an event of a turn tells of a tool call. */
export type ToolEvent = Extract<ChatEvent, { type: "tool" }>;

/** A tool call of a turn, as its event or its stored record has it. */
export interface ToolCall extends Omit<ToolEvent, "type" | "operation"> {
  operation: string;
  /** Undefined until they are known; text if the model sent no JSON object. */
  arguments?: Readonly<Record<string, unknown>> | string;
  result?: unknown;
  error?: string | undefined;
}

const ENDED = ["completed", "failed", "denied"] as const;

/** The call that a message of the role `tool` records; undefined if it is no record. */
export function parseToolRecord(content: string): ToolCall | undefined {
  const record = parseJson(content);
  if (!isJsonObject(record)) return undefined;
  const { tool_name: toolName, arguments: args, duration_ms: ms, result, error } = record;
  const state = ENDED.find((it) => it === record.status);
  if (typeof toolName !== "string" || !state) return undefined;
  return {
    toolCallId: String(record.tool_call_id),
    toolName,
    operation: String(record.operation),
    state,
    durationMs: typeof ms === "number" ? ms : null,
    arguments: isJsonObject(args) ? args : String(args ?? ""),
    result,
    error: typeof error === "string" ? error : undefined,
  };
}
