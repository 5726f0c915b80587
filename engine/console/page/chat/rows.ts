import type { Message, Turn } from "../../../client/client.ts";
import { parseToolRecord } from "./tool-call.ts";

/** What the list of a conversation shows. */
export type Row =
  | { kind: "message"; key: string; message: Message }
  /** How a turn ended that has no answer, and what was asked. */
  | { kind: "outcome"; key: string; turn: Turn; question: Message };

/** The rows of messages, which are in their order. `turns` has the ended turns without an answer by their user message. */
export function rowsOf(
  messages: readonly Message[],
  turns: ReadonlyMap<string, Turn>,
): readonly Row[] {
  const rows: Row[] = [];
  let outcome: Row | undefined;
  for (const message of messages) {
    // The tool calls of a turn come before its end.
    if (outcome && message.role !== "tool") {
      rows.push(outcome);
      outcome = undefined;
    }
    rows.push({ kind: "message", key: message.uuid, message });
    const turn = message.role === "user" ? turns.get(message.uuid) : undefined;
    if (turn) outcome = { kind: "outcome", key: turn.uuid, turn, question: message };
  }
  return outcome ? [...rows, outcome] : rows;
}

/** The ended turns that have no answer, by their user message. */
export function unansweredOf(turns: readonly Turn[]): ReadonlyMap<string, Turn> {
  const ended = turns.filter(({ endedAt, state }) => endedAt !== null && state !== "completed");
  return new Map(ended.map((turn) => [turn.userMessageUuid, turn]));
}

/** What is stored of a turn that runs. */
interface StoredPart {
  /** The ids of its tool calls. */
  calls: ReadonlySet<string>;
  isAnswered: boolean;
}

/** What is stored since the message of a turn. Another turn may use the same ids of tool calls again. */
export function storedSince(messages: readonly Message[], uuid: string): StoredPart {
  const from = messages.findIndex((message) => message.uuid === uuid);
  const later = from === -1 ? [] : messages.slice(from);
  const calls = later.flatMap(({ role, content }) =>
    role === "tool" ? (parseToolRecord(content) ?? []) : [],
  );
  return {
    calls: new Set(calls.map(({ toolCallId }) => toolCallId)),
    isAnswered: later.some(({ role }) => role === "assistant"),
  };
}

/** Known messages with those of the newest page; undefined if the page does not reach them. */
export function joinMessages(
  known: readonly Message[],
  page: readonly Message[],
): readonly Message[] | undefined {
  const has = new Set(known.map(({ uuid }) => uuid));
  const first = page.findIndex(({ uuid }) => has.has(uuid));
  if (first === -1 && known.length > 0) return undefined;
  const added = page.filter(({ uuid }) => !has.has(uuid));
  return added.length === 0 ? known : [...known, ...added];
}
