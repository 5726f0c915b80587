import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import type { Database } from "../../shared/database.ts";
import type { TurnJournal } from "../chat/journal.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonObject, type ListShape } from "../db/list-shape.ts";
import { LEFT_RUNNING, usageOfInterrupted } from "./usage-store.ts";
import type { Turn, TurnState } from "./wire.ts";

// Which turns wait for an approval is known to their process alone: `:waiting` is a JSON array of their uuids.
const STATE = `CASE WHEN turns.state = 'running' AND turns.uuid IN (SELECT value FROM json_each(:waiting))
  THEN 'waiting' ELSE turns.state END`;

const FIELDS: Record<keyof Turn, string> = {
  uuid: "turns.uuid",
  threadUuid: "threads.uuid",
  workspaceUuid: "workspaces.uuid",
  source: "turns.source",
  state: STATE,
  error: "turns.error",
  partialText: "CASE WHEN turns.state <> 'running' THEN turns.partial_text END",
  userMessageUuid: "turns.user_message_uuid",
  assistantMessageUuid: "turns.assistant_message_uuid",
  model: "turns.model",
  inputTokens: "turns.input_tokens",
  outputTokens: "turns.output_tokens",
  omittedToolGroups: "json(coalesce(turns.omitted_tool_groups, '[]'))",
  startedAt: "turns.started_at",
  endedAt: "turns.ended_at",
};

// CROSS: the turns are the outer loop, in the order of the list.
const JOINED = `turns CROSS JOIN threads ON threads.id = turns.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id AND workspaces.deleted_at IS NULL`;

const ONE = `SELECT ${jsonObject(FIELDS)} AS item FROM ${JOINED} WHERE turns.uuid = :uuid`;

/** A `Turn` as JSON text; undefined where it is unknown, or its thread is deleted. */
export async function findTurnJson(
  db: Database,
  uuid: string,
  waiting: readonly string[],
): Promise<string | undefined> {
  const { rows } = await db.$client.execute({
    sql: ONE,
    args: { waiting: JSON.stringify(waiting), uuid },
  });
  return rows[0] && String(rows[0].item);
}

/** The uuids of the turns that run: those that wait for an approval, and the others. */
interface ActiveUuids {
  readonly running: readonly string[];
  readonly waiting: readonly string[];
}

/** Which turns are listed, newest first; those of no state or thread in particular where these are left out. */
interface TurnFilter {
  state?: TurnState | undefined;
  threadUuid?: string | undefined;
  /** All where it is left out. */
  limit?: number | undefined;
  active: ActiveUuids;
}

const ANY = shapesOf("true");
const ACTIVE = shapesOf(
  "turns.state = 'running' AND turns.uuid IN (SELECT value FROM json_each(:among))",
);
const COMPLETED = shapesOf("turns.state = 'completed'");
// The index `turns_state` has these states alone.
const OTHERS = shapesOf("turns.state = :state AND turns.state NOT IN ('running', 'completed')");

interface Shapes {
  all: ListShape;
  ofThread: ListShape;
}

function shapesOf(inState: string): Shapes {
  const ofThread = "turns.thread_id = (SELECT t.id FROM threads t WHERE t.uuid = :threadUuid)";
  return { all: shapeOf(inState), ofThread: shapeOf(`${ofThread} AND ${inState}`) };
}

function shapeOf(where: string): ListShape {
  return {
    from: `(SELECT turns.id AS chosen FROM ${JOINED} WHERE ${where} ORDER BY turns.id DESC LIMIT :limit)
      CROSS JOIN ${JOINED.replace("ON ", "ON turns.id = chosen AND ")}`,
    where: "true",
    order: ["turns.id"],
    direction: "DESC",
    item: jsonObject(FIELDS),
    bytes: bytesOf("turns.partial_text", "turns.error"),
  };
}

/** `Turn[]`, newest first. */
export function turnsOf({ state, threadUuid, limit = -1, active }: TurnFilter): ListQuery {
  const { shapes, args } = queryOfState(state, active);
  const all = { ...args, waiting: JSON.stringify(active.waiting), limit };
  if (threadUuid === undefined) return { shape: shapes.all, args: all };
  return { shape: shapes.ofThread, args: { ...all, threadUuid } };
}

function queryOfState(
  state: TurnState | undefined,
  active: ActiveUuids,
): { shapes: Shapes; args: ListQuery["args"] } {
  switch (state) {
    case undefined:
      return { shapes: ANY, args: {} };
    case "running":
    case "waiting":
      return { shapes: ACTIVE, args: { among: JSON.stringify(active[state]) } };
    case "completed":
      return { shapes: COMPLETED, args: {} };
    default:
      return { shapes: OTHERS, args: { state } };
  }
}

// Its user message is stored before it, unless the thread is gone.
const INSERT = `INSERT INTO turns (uuid, thread_id, source, state, user_message_uuid, model, started_at)
  SELECT :uuid, thread_id, :source, 'running', uuid, :model, :startedAt
  FROM messages WHERE uuid = :userMessageUuid`;

/** The statement that stores a turn; it has no effect where its user message is not stored. */
export function insertTurnStatement(
  turn: Pick<Turn, "uuid" | "userMessageUuid" | "model" | "startedAt"> &
    Pick<TurnJournal, "source">,
): InStatement {
  const { uuid, source, userMessageUuid, model, startedAt } = turn;
  return { sql: INSERT, args: { uuid, source, userMessageUuid, model, startedAt } };
}

const UPDATE = `UPDATE turns SET state = :state, error = :error, partial_text = :partialText,
  assistant_message_uuid = :assistantMessageUuid, input_tokens = :inputTokens,
  output_tokens = :outputTokens, omitted_tool_groups = :omittedToolGroups, ended_at = :endedAt
  WHERE uuid = :uuid`;

/** The statement that brings the record of a turn up to date. */
export function updateTurnStatement(turn: Turn): InStatement {
  const { omittedToolGroups, state } = turn;
  return {
    sql: UPDATE,
    args: {
      uuid: turn.uuid,
      state: state === "waiting" ? "running" : state,
      error: turn.error,
      partialText: turn.partialText,
      assistantMessageUuid: turn.assistantMessageUuid,
      inputTokens: turn.inputTokens,
      outputTokens: turn.outputTokens,
      omittedToolGroups: omittedToolGroups.length > 0 ? JSON.stringify(omittedToolGroups) : null,
      endedAt: turn.endedAt,
    },
  };
}

const INTERRUPT = `UPDATE turns SET state = 'interrupted', ended_at = :now WHERE ${LEFT_RUNNING}`;
const ALL_ENDED = "UPDATE earlier_turns SET up_to = coalesce((SELECT max(id) FROM turns), 0)";

/** Ends the records of turns that an earlier process left behind. To be called before any turn starts. */
export async function interruptActiveTurns(db: Database, now: string): Promise<void> {
  const batch = new Batch();
  batch.add(usageOfInterrupted);
  batch.add({ sql: INTERRUPT, args: { now } });
  batch.add(ALL_ENDED);
  await batch.run(db);
}
