import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { migrations } from "../../../engine/db/migrations.generated.ts";
import { interruptActiveTurns } from "../../../engine/turns/store.ts";
import { LEFT_RUNNING, sumUsage } from "../../../engine/turns/usage-store.ts";
import { createDatabase } from "../../../shared/database.ts";
import { migrate } from "../../../shared/migrate.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";

const DAY = "2026-01-02";
const STARTED_AT = `${DAY}T03:00:00.000Z`;
const ENDED_AT = `${DAY}T04:00:00.000Z`;
const BEFORE = migrations.filter(({ name }) => name < "0008");

/** A database with one thread and the turns that an earlier process left, of the last schema before or of today's. */
async function openLeft(steps: typeof migrations, states: readonly string[]) {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, steps);
  await client.batch([
    "INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'n', 'x')",
    "INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at) VALUES ('w', 1, 'w', 'x', 'x')",
    "INSERT INTO threads (uuid, workspace_id, created_at, updated_at) VALUES ('t', 1, 'x', 'x')",
  ]);
  const begin = (state: string) =>
    client.execute(
      `INSERT INTO turns (uuid, thread_id, source, state, user_message_uuid, model, started_at)
       SELECT 'u' || count(*), 1, 'http', ?, 'm', 'echo', ? FROM turns`,
      [state, STARTED_AT],
    );
  for (const state of states) await begin(state);
  const column = async (sql: string) => (await client.execute(sql)).rows.map((row) => row[0]);
  return {
    client,
    db: createDatabase(client),
    begin,
    states: () => column("SELECT state FROM turns ORDER BY id"),
    upTo: async () => (await column("SELECT up_to FROM earlier_turns"))[0],
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

describe("the turns of an earlier process", () => {
  it("end as interrupted, and only later ones are looked at again", async () => {
    await using left = await openLeft(migrations, ["completed", "running", "failed", "running"]);
    await interruptActiveTurns(left.db, ENDED_AT);
    const ended = ["completed", "interrupted", "failed", "interrupted"];
    assert.deepEqual(await left.states(), ended);
    assert.equal(await left.upTo(), 4);

    await left.begin("running");
    await interruptActiveTurns(left.db, ENDED_AT);
    assert.deepEqual(await left.states(), [...ended, "interrupted"]);
    assert.equal(await left.upTo(), 5);
  });

  it("are found without an index over all turns", async () => {
    await using left = await openLeft(migrations, []);
    const { rows } = await left.client.execute(
      `EXPLAIN QUERY PLAN UPDATE turns SET error = 'x' WHERE ${LEFT_RUNNING}`,
    );
    assert.match(String(rows[0]?.detail), /^SEARCH turns USING INTEGER PRIMARY KEY \(rowid>\?\)/);
  });

  it("end, and keep their usage, where the schema is of the version before", async () => {
    await using left = await openLeft(BEFORE, ["running", "completed"]);
    await left.client.execute(
      `INSERT INTO usage (day, workspace_uuid, thread_uuid, model, turns, turns_without_usage, input_tokens)
       VALUES ('${DAY}', 'w', 't', 'echo', 2, 1, 7)`,
    );
    await migrate(left.client, migrations);
    await interruptActiveTurns(left.db, ENDED_AT);
    assert.deepEqual(await left.states(), ["interrupted", "completed"]);
    const { total } = await sumUsage(left.db, { groupBy: "day", from: DAY, to: DAY });
    assert.deepEqual(total, {
      turns: 2,
      turnsWithoutUsage: 1,
      inputTokens: 7,
      outputTokens: null,
    });
  });
});
