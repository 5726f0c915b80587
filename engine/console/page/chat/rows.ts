import type { DetailedTurn, Message } from "../../../client/client.ts";
import { parseToolRecord } from "./tool-call.ts";

/** What the list of a conversation shows. */
export type Row =
  | { kind: "message"; key: string; message: Message; turn: DetailedTurn | undefined }
  /** How a turn ended that has no answer, and what was asked. */
  | { kind: "outcome"; key: string; turn: DetailedTurn; question: Message };

/** The rows of messages, which are in their order, with the turns of their thread. */
export function rowsOf(
  messages: readonly Message[],
  turns: readonly DetailedTurn[],
): readonly Row[] {
  const ended = turns.filter(({ endedAt, state }) => endedAt !== null && state !== "completed");
  const unanswered = new Map(ended.map((turn) => [turn.userMessageUuid, turn]));
  const answered = new Map(turns.map((turn) => [turn.assistantMessageUuid, turn]));
  const rows: Row[] = [];
  let outcome: Row | undefined;
  for (const message of messages) {
    // The tool calls of a turn come before its end.
    if (outcome && message.role !== "tool") {
      rows.push(outcome);
      outcome = undefined;
    }
    const { uuid } = message;
    rows.push({ kind: "message", key: uuid, message, turn: answered.get(uuid) });
    const turn = unanswered.get(uuid);
    if (turn) outcome = { kind: "outcome", key: turn.uuid, turn, question: message };
  }
  return outcome ? [...rows, outcome] : rows;
}

/** What is stored since the message of a turn: the ids of its tool calls, which another turn may use again, and if it is answered. */
export function storedSince(messages: readonly Message[], uuid: string) {
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
  const added = page.filter(({ uuid }) => !has.has(uuid));
  if (added.length === page.length) return undefined;
  return added.length === 0 ? known : [...known, ...added];
}
