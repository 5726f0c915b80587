import type { InStatement } from "@libsql/client";
import { type Database, readFirst } from "../../shared/database.ts";

/** An attachment of a message. Its bytes are in the file of its hash. */
export interface StoredAttachment {
  name: string;
  mediaType: string;
  /** In bytes. */
  size: number;
  /** SHA-256 of the bytes, in hexadecimal. */
  hash: string;
}

const INSERT = `INSERT INTO attachments (message_id, position, name, media_type, size, hash)
  SELECT m.id, file.key, file.value ->> 'name', file.value ->> 'mediaType', file.value ->> 'size', file.value ->> 'hash'
  FROM messages m CROSS JOIN json_each(:files) AS file WHERE m.uuid = :messageUuid`;

/** Stores the attachments of a message; to be added behind it. */
export function insertAttachmentsStatement(
  messageUuid: string,
  files: readonly StoredAttachment[],
): InStatement {
  return { sql: INSERT, args: { messageUuid, files: JSON.stringify(files) } };
}

/** SQL for the attachments of a message, in its order: a JSON array of arrays. */
export const attachmentsOf = (messageId: string): string => `(
  SELECT json_group_array(json_array(name, media_type, size, hash) ORDER BY position) FROM attachments
  WHERE message_id = ${messageId})`;

/** A row of `attachmentsOf`. */
export type AttachmentRow = [name: string, mediaType: string, size: number, hash: string];

/** An attachment as a row has it. */
export function toStoredAttachment([name, mediaType, size, hash]: AttachmentRow): StoredAttachment {
  return { name, mediaType, size, hash };
}

const OF_MESSAGE = `SELECT ${attachmentsOf("m.id")} FROM messages m JOIN threads t ON t.id = m.thread_id
  JOIN workspaces w ON w.id = t.workspace_id WHERE m.uuid = :messageUuid AND w.deleted_at IS NULL`;

/** The attachments of a message, in its order; undefined if the message is unknown. */
export async function listAttachments(
  db: Database,
  messageUuid: string,
): Promise<StoredAttachment[] | undefined> {
  const row = await readFirst(db, OF_MESSAGE, { messageUuid });
  const rows: AttachmentRow[] | undefined = row && JSON.parse(String(row[0]));
  return rows?.map(toStoredAttachment);
}

const UNUSED = `SELECT json_group_array(value) FROM json_each(:hashes)
  WHERE NOT EXISTS (SELECT 1 FROM attachments WHERE hash = value)`;

/** Which of these files no message has. */
export async function listUnused(db: Database, hashes: readonly string[]): Promise<string[]> {
  const row = await readFirst(db, UNUSED, { hashes: JSON.stringify(hashes) });
  return JSON.parse(String(row?.[0]));
}
