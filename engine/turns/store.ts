import { type Database, readFirst } from "../../shared/database.ts";
import type { ListQuery } from "../db/list.ts";
import { bytesOf, jsonObject, jsonOf, type ListShape } from "../db/list-shape.ts";
import { TOKENS_MAX } from "./limits.ts";
import { DetailedTurn, Turn, type TurnDetails, type TurnState } from "./wire.ts";

/**
 * A stored count of tokens, or null: earlier versions stored whatever number a provider sent.
 * @param turns how many turns the count sums, by its SQL
 */
export const tokenCount = (count: string, turns = "1"): string =>
  `iif(typeof(${count}) = 'integer' AND ${count} BETWEEN 0 AND ${turns} * ${TOKENS_MAX}, ${count}, NULL)`;

const FIELDS = {
  threadUuid: "threads.uuid",
  workspaceUuid: "workspaces.uuid",
  // What is stored while the turn runs is for the next start.
  partialText: "iif(turns.state IN ('running', 'waiting'), NULL, turns.partial_text)",
  inputTokens: tokenCount("turns.input_tokens"),
  outputTokens: tokenCount("turns.output_tokens"),
  cachedInputTokens: tokenCount("turns.cached_input_tokens"),
  omittedToolGroups: "json(coalesce(turns.omitted_tool_groups, '[]'))",
  grantUuids: "json(coalesce(turns.grant_uuids, '[]'))",
};
const ITEM = jsonOf(Turn, FIELDS, "turns.");

// CROSS: the turns are the outer loop, in the order of the list.
const PLACE = `CROSS JOIN threads ON threads.id = turns.thread_id
  CROSS JOIN workspaces ON workspaces.id = threads.workspace_id AND workspaces.deleted_at IS NULL`;

/** The bodies of the routes of its details; null where there is none. */
const DETAILS: Record<keyof TurnDetails, string> = {
  context: "json(turns.context)",
  sources: "json(turns.sources)",
  reasoning: "iif(turns.reasoning IS NULL, NULL, json_object('text', turns.reasoning))",
};

const ONE = `SELECT ${ITEM} AS item FROM turns ${PLACE} WHERE turns.uuid = :uuid`;

/** A `Turn` as JSON text; undefined if it is unknown, or its thread is deleted. */
export async function findTurnJson(db: Database, uuid: string): Promise<string | undefined> {
  const { rows } = await db.$client.execute({ sql: ONE, args: { uuid } });
  return rows[0] && String(rows[0].item);
}

const DETAIL = `SELECT ${jsonObject(DETAILS)} AS item FROM turns ${PLACE} WHERE turns.uuid = :uuid`;

/** The details of a turn; undefined if it is unknown, or its thread is deleted. */
export async function findTurnDetails(
  db: Database,
  uuid: string,
): Promise<TurnDetails | undefined> {
  const [item] = (await readFirst(db, DETAIL, { uuid })) ?? [];
  return item === undefined ? undefined : JSON.parse(String(item));
}

const BRIEF = { item: ITEM, bytes: bytesOf("turns.partial_text", "turns.error") };
const DETAILED = {
  item: jsonOf(DetailedTurn, { ...FIELDS, details: jsonObject(DETAILS) }, "turns."),
  bytes: `${BRIEF.bytes} + ${bytesOf("turns.context", "turns.sources", "turns.reasoning")}`,
};

/** Which turns are listed, newest first; by default of all states and threads. */
interface TurnFilter {
  state?: TurnState | undefined;
  threadUuid?: string | undefined;
  /** All if it is left out. */
  limit?: number | undefined;
  /** Whether each has its details. */
  details?: boolean | undefined;
}

// A turn that came with a copied message is listed by its thread alone.
const IS_NO_COPY =
  "NOT EXISTS (SELECT 1 FROM messages WHERE messages.id = turns.id AND messages.source_id IS NOT NULL)";
const OF_THREAD = "turns.thread_id = (SELECT t.id FROM threads t WHERE t.uuid = :threadUuid)";

function inState(state: TurnState | undefined): string {
  if (state === undefined) return "true";
  // The index `turns_state` holds only the other states.
  return state === "completed"
    ? "turns.state = 'completed'"
    : "turns.state = :state AND turns.state <> 'completed'";
}

/** `Turn[]`, newest first; with `details`, `DetailedTurn[]`. */
export function turnsOf({ state, threadUuid, limit, details }: TurnFilter): ListQuery {
  const where = `${inState(state)} AND ${threadUuid === undefined ? IS_NO_COPY : OF_THREAD}`;
  const newest = `SELECT turns.id AS chosen FROM turns ${PLACE} WHERE ${where} ORDER BY turns.id DESC LIMIT :limit`;
  const chosen =
    limit === undefined
      ? { from: `turns ${PLACE}`, where }
      : { from: `(${newest}) CROSS JOIN turns ON turns.id = chosen ${PLACE}`, where: "true" };
  const shown = details ? DETAILED : BRIEF;
  const shape: ListShape = { ...chosen, ...shown, order: ["turns.id"], direction: "DESC" };
  return {
    shape,
    args: { state: state ?? null, threadUuid: threadUuid ?? null, limit: limit ?? -1 },
  };
}
