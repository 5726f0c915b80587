import type { InStatement } from "@libsql/client";
import { Batch } from "../../shared/batch.ts";
import type { EngineDeps } from "../deps.ts";
import { TURN_ENDS_PENDING_MAX } from "./limits.ts";
import type { TokenCounts } from "./token-counts.ts";
import { countStatement, USED_BY_ACTIVE } from "./usage-store.ts";
import type { Turn } from "./wire.ts";

/** A turn as it is stored: with its details as JSON, if it has any. */
export interface StoredTurn extends Turn {
  context: string | null;
  sources: string | null;
  /** What the model thought, as text. */
  reasoning: string | null;
}

const INSERT = `INSERT INTO turns (id, uuid, thread_id, source, state, user_message_uuid, model, started_at)
  SELECT id, :uuid, thread_id, :source, :state, uuid, :model, :startedAt FROM messages WHERE uuid = :userMessageUuid`;

/** The arguments of all statements; each takes what it names. */
function toArgs(turn: StoredTurn) {
  const omittedToolGroups = JSON.stringify(turn.omittedToolGroups);
  const grantUuids = turn.grantUuids.length > 0 ? JSON.stringify(turn.grantUuids) : null;
  return {
    ...turn,
    omittedToolGroups,
    grantUuids,
    day: turn.startedAt.slice(0, "YYYY-MM-DD".length),
  };
}

/** Stores a turn that starts; to be added behind its user message. */
export function insertTurnStatement(turn: StoredTurn): InStatement {
  return { sql: INSERT, args: toArgs(turn) };
}

// The answer is not stored if its thread was deleted meanwhile: then the turn has not completed.
const ANSWERED =
  "(:assistantMessageUuid IS NULL OR EXISTS (SELECT 1 FROM messages WHERE uuid = :assistantMessageUuid))";

const UPDATE = `UPDATE turns SET state = :state, error = :error, partial_text = :partialText,
    assistant_message_uuid = :assistantMessageUuid, input_tokens = :inputTokens, output_tokens = :outputTokens,
    cached_input_tokens = :cachedInputTokens,
    omitted_tool_groups = :omittedToolGroups, grant_uuids = :grantUuids, ended_at = :endedAt, context = :context,
    sources = :sources, reasoning = :reasoning
  WHERE uuid = :uuid AND ${ANSWERED}`;

/** Stores the current state of a turn. */
export function updateTurnStatement(turn: StoredTurn): InStatement {
  return { sql: UPDATE, args: toArgs(turn) };
}

const USED = `SELECT :day AS day, :workspaceUuid AS workspace_uuid, :threadUuid AS thread_uuid, :model AS model,
  CAST(:inputTokens AS INTEGER) AS input_tokens, CAST(:outputTokens AS INTEGER) AS output_tokens,
  CAST(:cachedInputTokens AS INTEGER) AS cached_input_tokens`;

const COUNT = countStatement(`${USED} WHERE ${ANSWERED}`);
const COUNT_WITHOUT_RECORD = countStatement(USED);
// The thread may have gone meanwhile: its tokens were used.
const COUNT_BESIDE = countStatement(USED, { beside: true });

/** Tokens that no record of a turn has. */
export interface UsedTokens
  extends TokenCounts,
    Pick<Turn, "workspaceUuid" | "threadUuid" | "model"> {
  /** In UTC: `YYYY-MM-DD`. */
  day: string;
}

/** Adds tokens that were used beside turns. */
export function countBesideStatement(used: UsedTokens): InStatement {
  return { sql: COUNT_BESIDE, args: { ...used } };
}

/** Adds a call that counts as a turn, and has no record. */
export function countCallStatement(used: UsedTokens): InStatement {
  return { sql: COUNT_WITHOUT_RECORD, args: { ...used } };
}

/** Stores the end of a turn, and adds it to the usage; to be added behind its assistant message. */
export function endTurnStatements(turn: StoredTurn): InStatement[] {
  return [updateTurnStatement(turn), { sql: COUNT, args: toArgs(turn) }];
}

type StoreDeps = Pick<EngineDeps, "db" | "log">;

/** Stores the ends of turns without an answer. One that cannot be stored is tried again with the next ones, and at a stop. */
export class TurnEnds {
  readonly #deps: StoreDeps;
  #pending: StoredTurn[] = [];

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  /** Never rejects: a record that cannot be stored does not end its turn. */
  async store(turn: StoredTurn): Promise<void> {
    const { db, log } = this.#deps;
    try {
      await db.$client.batch(endTurnStatements(turn), "write");
    } catch (error) {
      log.error({ turn: turn.uuid, error }, "The end of a turn could not be stored.");
      this.#pending = [...this.#pending, turn].slice(-TURN_ENDS_PENDING_MAX);
      return;
    }
    await this.flush();
  }

  /** Tries again what could not be stored. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending.splice(0).map((turn) => this.store(turn)));
  }
}

/**
 * Ends the records of turns that an earlier process left behind. To be called before any turn starts. Records that cannot be
 * read are logged: they do not keep the engine from its start.
 */
export async function interruptActiveTurns({ db, log }: StoreDeps, now: string): Promise<void> {
  const batch = new Batch();
  batch.add(countStatement(USED_BY_ACTIVE));
  batch.add({
    sql: "UPDATE turns SET state = 'interrupted', ended_at = :now WHERE state <> 'completed' AND state IN ('running', 'waiting')",
    args: { now },
  });
  try {
    await batch.run(db);
  } catch (error) {
    log.error({ error }, "The turns that the last process left could not be ended.");
  }
}
