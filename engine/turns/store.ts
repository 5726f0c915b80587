import type { Database } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonObject, type ListShape } from "../db/list-shape.ts";
import { TOKENS_MAX } from "./limits.ts";
import type { Turn, TurnState } from "./wire.ts";

/**
 * A stored count of tokens, or null: earlier versions stored whatever number a provider sent.
 * @param turns how many turns the count sums, by its SQL
 */
export const tokenCount = (count: string, turns = "1"): string =>
  `iif(typeof(${count}) = 'integer' AND ${count} BETWEEN 0 AND ${turns} * ${TOKENS_MAX}, ${count}, NULL)`;

const FIELDS: Record<keyof Turn, string> = {
  uuid: "turns.uuid",
  threadUuid: "threads.uuid",
  workspaceUuid: "workspaces.uuid",
  source: "turns.source",
  state: "turns.state",
  error: "turns.error",
  partialText: "turns.partial_text",
  userMessageUuid: "turns.user_message_uuid",
  assistantMessageUuid: "turns.assistant_message_uuid",
  model: "turns.model",
  inputTokens: tokenCount("turns.input_tokens"),
  outputTokens: tokenCount("turns.output_tokens"),
  omittedToolGroups: "json(coalesce(turns.omitted_tool_groups, '[]'))",
  startedAt: "turns.started_at",
  endedAt: "turns.ended_at",
};

// CROSS: the turns are the outer loop, in the order of the list.
const JOINED = `turns CROSS JOIN threads ON threads.id = turns.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id AND workspaces.deleted_at IS NULL`;

/** The turns that run, and those that ended last: their process knows of them before the table does. */
export interface LiveTurns {
  readonly live: readonly Turn[];
  findLive(uuid: string): Turn | undefined;
}

/** Which turns an earlier or this process did not settle, by the SQL of their id. They are few, and found without an index. */
export const NOT_SETTLED = (id: string): string => `(${id} > (SELECT up_to FROM settled_turns)
  OR ${id} IN (SELECT value FROM settled_turns, json_each(settled_turns.active)))`;

// A turn that runs may have a row already; its process knows more.
const ENDED = "turns.state <> 'running'";

const ONE = `SELECT ${jsonObject(FIELDS)} AS item FROM ${JOINED} WHERE turns.uuid = :uuid AND ${ENDED}`;

/** A `Turn` as JSON text; undefined where it is unknown, or its thread is deleted. */
export async function findTurnJson(
  db: Database,
  turns: LiveTurns,
  uuid: string,
): Promise<string | undefined> {
  // Looked up first: its end may be stored before the query runs.
  const live = turns.findLive(uuid);
  const { rows } = await db.$client.execute({ sql: ONE, args: { uuid } });
  if (rows[0]) return String(rows[0].item);
  return live && JSON.stringify(live);
}

/** Which turns are listed, newest first; those of no state or thread in particular where these are left out. */
interface TurnFilter {
  state?: TurnState | undefined;
  threadUuid?: string | undefined;
  /** All where it is left out. */
  limit?: number | undefined;
}

const ANY = shapesOf(ENDED);
const NONE = shapesOf("false");
const COMPLETED = shapesOf("turns.state = 'completed'");
// The index `turns_state` has these states alone.
const OTHERS = shapesOf("turns.state = :state AND turns.state NOT IN ('running', 'completed')");

interface Shapes {
  newest: ListShape;
  newestOfThread: ListShape;
  allOfThread: ListShape;
}

function shapesOf(inState: string): Shapes {
  const ofThread = `turns.thread_id = (SELECT t.id FROM threads t WHERE t.uuid = :threadUuid) AND ${inState}`;
  return {
    newest: shapeOf(() => chosen(inState, ":limit")),
    newestOfThread: shapeOf(() => chosen(ofThread, ":limit")),
    // Each page chooses its own turns: with all of them it would take longer with each page.
    allOfThread: shapeOf(({ rows, after: [id] = [] }) => chosen(ofThread, rows, id)),
  };
}

/** The ids of the newest turns with this stored state, among those of `:live`: a JSON array of turns. */
function chosen(where: string, rows: string, belowId?: string): string {
  const below = (id: string) => (belowId === undefined ? "true" : `${id} < ${belowId}`);
  return `SELECT turns.id AS chosen, NULL AS live FROM ${JOINED} WHERE ${where} AND ${below("turns.id")}
    UNION ALL SELECT messages.id AS chosen, value AS live
    FROM json_each(:live) CROSS JOIN messages ON messages.uuid = value ->> 'userMessageUuid'
    WHERE ${below("messages.id")} AND NOT EXISTS (SELECT 1 FROM turns WHERE turns.id = messages.id AND ${ENDED})
    ORDER BY chosen DESC LIMIT ${rows}`;
}

function shapeOf(choose: Exclude<ListShape["from"], string>): ListShape {
  return {
    from: (window) => `(${choose(window)})
      LEFT JOIN turns ON live IS NULL AND turns.id = chosen
      LEFT JOIN threads ON threads.id = turns.thread_id
      LEFT JOIN workspaces ON workspaces.id = threads.workspace_id`,
    where: "true",
    order: ["chosen"],
    direction: "DESC",
    item: `CASE WHEN live IS NULL THEN ${jsonObject(FIELDS)} ELSE live END`,
    bytes: bytesOf("live", "turns.partial_text", "turns.error"),
  };
}

/** `Turn[]`, newest first. */
export function turnsOf({ live }: LiveTurns, { state, threadUuid, limit }: TurnFilter): ListQuery {
  const meant = live.filter(
    (turn) =>
      (state === undefined || turn.state === state) &&
      (threadUuid === undefined || turn.threadUuid === threadUuid),
  );
  const { shapes, args } = queryOfState(state);
  const given = { ...args, live: JSON.stringify(meant) };
  if (threadUuid === undefined) {
    return { shape: shapes.newest, args: { ...given, limit: limit ?? -1 } };
  }
  const ofThread = { ...given, threadUuid };
  if (limit === undefined) return { shape: shapes.allOfThread, args: ofThread };
  return { shape: shapes.newestOfThread, args: { ...ofThread, limit } };
}

function queryOfState(state: TurnState | undefined): { shapes: Shapes; args: ListQuery["args"] } {
  switch (state) {
    case undefined:
      return { shapes: ANY, args: {} };
    case "running":
    case "waiting":
      return { shapes: NONE, args: {} };
    case "completed":
      return { shapes: COMPLETED, args: {} };
    default:
      return { shapes: OTHERS, args: { state } };
  }
}
