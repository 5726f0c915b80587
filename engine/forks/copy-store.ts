import type { Database } from "../../shared/database.ts";
import { columnsOf } from "../db/columns.ts";
import { bytesOf } from "../db/list-shape.ts";
import { attachments, messages, turns } from "../db/schema.ts";
import { rowsWithin } from "../db/slices.ts";
import type { MessagePlace } from "../messages/store.ts";
import { FORK_SLICE_BYTES, FORK_SLICE_ROWS } from "./limits.ts";

type Position = Omit<MessagePlace, "uuid">;

/** What is copied: the messages of a thread up to a position. */
interface Copying {
  originId: number;
  forkId: number;
  last: Position;
}

// Everything that belongs to a message or a turn is copied here, with all columns but the named ones. A table that refers to one
// of them has its statement beside these. `:rows` has `[id of the original, uuid of the copy]`.

const OF_MESSAGES = columnsOf(messages, "id", "uuid", "threadId", "sourceId");
const OF_ATTACHMENTS = columnsOf(attachments, "id", "messageId");
const OF_TURNS = columnsOf(
  turns,
  ...["id", "uuid", "threadId", "userMessageUuid", "assistantMessageUuid"],
);
const from = (name: string, columns: readonly string[]) =>
  columns.map((column) => `${name}.${column}`).join(", ");

const MESSAGES = `SELECT id, created_at, octet_length(content) AS bytes FROM messages
  WHERE thread_id = :originId AND (created_at, id) > (:createdAt, :id) AND (created_at, id) <= (:lastTime, :lastId)
  ORDER BY created_at, id LIMIT ${FORK_SLICE_ROWS}`;

const COPY_MESSAGES = [
  `INSERT INTO messages (uuid, thread_id, source_id, ${OF_MESSAGES})
    SELECT row.value ->> 1, :forkId, coalesce(m.source_id, m.id), ${from("m", OF_MESSAGES)}
    FROM json_each(:rows) AS row CROSS JOIN messages m ON m.id = row.value ->> 0 ORDER BY row.key`,
  `INSERT INTO attachments (message_id, ${OF_ATTACHMENTS})
    SELECT copy.id, ${from("a", OF_ATTACHMENTS)}
    FROM json_each(:rows) AS row CROSS JOIN attachments a ON a.message_id = row.value ->> 0
    CROSS JOIN messages copy ON copy.uuid = row.value ->> 1`,
];

const TURNS = `SELECT id, ${bytesOf("partial_text", "context", "sources", "reasoning")} AS bytes FROM turns
  WHERE thread_id = :originId AND id > :after AND ended_at IS NOT NULL ORDER BY id LIMIT ${FORK_SLICE_ROWS}`;

const copyOf = (name: string, original: string) => `messages ${name}
    ON ${name}.source_id = coalesce(${original}.source_id, ${original}.id) AND ${name}.thread_id = :forkId`;

// A turn is copied with its question, if its answer is.
const COPY_TURNS = [
  `INSERT INTO turns (id, uuid, thread_id, user_message_uuid, assistant_message_uuid, ${OF_TURNS})
    SELECT question.id, row.value ->> 1, :forkId, question.uuid, answer.uuid, ${from("t", OF_TURNS)}
    FROM json_each(:rows) AS row CROSS JOIN turns t ON t.id = row.value ->> 0
    CROSS JOIN messages asked ON asked.id = t.id
    CROSS JOIN ${copyOf("question", "asked")}
    LEFT JOIN messages answered ON answered.uuid = t.assistant_message_uuid
    LEFT JOIN ${copyOf("answer", "answered")}
    WHERE t.assistant_message_uuid IS NULL OR answer.id IS NOT NULL`,
];

/** Copies in slices of one commit each: all messages, then their turns. @throws the reason of the signal */
export async function copyMessages(
  db: Database,
  { originId, forkId, last }: Copying,
  signal: AbortSignal,
): Promise<void> {
  const copySlice = async (
    list: string,
    args: Record<string, string | number>,
    statements: readonly string[],
  ) => {
    signal.throwIfAborted();
    const { rows } = await db.$client.execute({ sql: list, args: { ...args, originId } });
    const found = rowsWithin(rows, FORK_SLICE_BYTES);
    const copied = JSON.stringify(found.map(({ id }) => [id, crypto.randomUUID()]));
    const toStatement = (sql: string) => ({ sql, args: { rows: copied, forkId } });
    if (found.length > 0) await db.$client.batch(statements.map(toStatement), "write");
    return found.at(-1);
  };
  const to = { lastTime: last.createdAt, lastId: last.id };
  let message: Position | undefined = { createdAt: "", id: 0 };
  while (message) {
    const end = await copySlice(MESSAGES, { ...message, ...to }, COPY_MESSAGES);
    message = end && { createdAt: String(end.created_at), id: Number(end.id) };
  }
  let turn: number | undefined = 0;
  while (turn !== undefined) {
    const end = await copySlice(TURNS, { after: turn }, COPY_TURNS);
    turn = end && Number(end.id);
  }
}
