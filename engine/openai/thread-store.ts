import { type Database, readFirst } from "../../shared/database.ts";

/** A key in a workspace: the threads of one are of no other. */
export interface KeyPlace {
  keyUuid: string;
  workspaceUuid: string;
}

const FOUND = `SELECT t.uuid FROM client_threads c
  JOIN client_keys k ON k.id = c.key_id AND k.uuid = :keyUuid
  JOIN threads t ON t.id = c.thread_id
  JOIN workspaces w ON w.id = t.workspace_id AND w.uuid = :workspaceUuid AND w.deleted_at IS NULL`;

const BY_LABEL = `${FOUND} WHERE c.label = :label`;

// A thread that went on elsewhere is another conversation by now.
const BY_HASH = `${FOUND} WHERE c.hash = :hash AND c.label IS NULL AND c.last_message_uuid =
    (SELECT uuid FROM messages WHERE thread_id = t.id ORDER BY created_at DESC, id DESC LIMIT 1)
  ORDER BY t.updated_at DESC, t.id DESC LIMIT 1`;

/** The uuid of the thread that a label names. */
export async function findLabelled(
  db: Database,
  place: KeyPlace & { label: string },
): Promise<string | undefined> {
  const row = await readFirst(db, BY_LABEL, { ...place });
  return row && String(row[0]);
}

/** The uuid of the newest thread with these messages. */
export async function findContinued(
  db: Database,
  place: KeyPlace & { hash: string },
): Promise<string | undefined> {
  const row = await readFirst(db, BY_HASH, { ...place });
  return row && String(row[0]);
}

const INSERT = `INSERT INTO client_threads (thread_id, key_id, label)
  SELECT t.id, k.id, :label FROM threads t, client_keys k WHERE t.uuid = :threadUuid AND k.uuid = :keyUuid
  ON CONFLICT (thread_id) DO NOTHING`;

/** The statement that gives a new thread to a key. */
export function insertClientThreadStatement(thread: {
  threadUuid: string;
  keyUuid: string;
  label: string | null;
}) {
  return { sql: INSERT, args: thread };
}

const ANSWERED = `UPDATE client_threads SET hash = :hash, last_message_uuid = :lastMessageUuid
  WHERE thread_id = (SELECT id FROM threads WHERE uuid = :threadUuid)`;

/** Stores what a thread is found by after an answer. */
export async function updateClientThread(
  db: Database,
  thread: { threadUuid: string; hash: string; lastMessageUuid: string },
): Promise<void> {
  await db.$client.execute({ sql: ANSWERED, args: thread });
}
