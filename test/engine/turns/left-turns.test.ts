// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { migrations } from "../../../engine/db/migrations.generated.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { sumUsage, USED_BY_ACTIVE } from "../../../engine/turns/usage-store.ts";
import { createDatabase } from "../../../shared/database.ts";
import { silentLogger } from "../../../shared/log.ts";
import { migrate } from "../../../shared/migrate.ts";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";

const DAY = "2026-01-02";
const STARTED_AT = `${DAY}T03:00:00.000Z`;
const COMPLETED_AT = `${DAY}T03:30:00.000Z`;
const NOW = `${DAY}T04:00:00.000Z`;
const BEFORE_ROWS = migrations.filter(({ name }) => name < "0011");

/** A database with one thread, of the newest schema or an older one. */
async function openLeft(steps = migrations) {
  const client = openEmbeddedClient({ path: ":memory:", pragmas: [] });
  await migrate(client, steps);
  await client.batch([
    "INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'n', 'x')",
    "INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at) VALUES ('w', 1, 'w', 'x', 'x')",
    "INSERT INTO threads (uuid, workspace_id, created_at, updated_at) VALUES ('t', 1, 'x', 'x')",
  ]);
  const db = createDatabase(client);
  const rows = async (sql: string) => {
    const { columns, rows } = await client.execute(sql);
    return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
  };
  /** Before step 0011 a message carries a text of the turn that it begins or ends. */
  const say = (uuid: string, role: string, turn: string | null = null) =>
    client.execute({
      sql: `INSERT INTO messages (uuid, thread_id, role, content, created_at${turn === null ? "" : ", turn"})
        VALUES ('${uuid}', 1, '${role}', 'x', 'x'${turn === null ? "" : ", :turn"})`,
      args: turn === null ? {} : { turn },
    });
  return {
    client,
    db,
    rows,
    say,
    /** A turn begins with a user message `u<name>`. */
    begin: (name: string) =>
      say(
        `u${name}`,
        "user",
        JSON.stringify({ uuid: name, source: "http", model: "echo", startedAt: STARTED_AT }),
      ),
    /** It completes with an assistant message `a<name>`. */
    complete: (name: string, inputTokens: unknown) =>
      say(
        `a${name}`,
        "assistant",
        JSON.stringify({
          uuid: name,
          inputTokens,
          outputTokens: null,
          cachedInputTokens: null,
          omittedToolGroups: ["note"],
          endedAt: COMPLETED_AT,
        }),
      ),
    /** Its row, as it is once the turn streams for a second, or has ended in another way. */
    store: (name: string, state: string) =>
      client.execute(
        `INSERT INTO turns (id, uuid, thread_id, source, state, partial_text, user_message_uuid, model, input_tokens, started_at)
         SELECT id, '${name}', 1, 'http', '${state}', 'half', uuid, 'echo', 5, '${STARTED_AT}' FROM messages WHERE uuid = 'u${name}'`,
      ),
    /** The start of this version. */
    start: async () => {
      await migrate(client, migrations);
      await interruptActiveTurns({ db, log: silentLogger }, NOW);
    },
    turns: () =>
      rows(
        `SELECT uuid, state, partial_text, user_message_uuid AS user, assistant_message_uuid AS assistant, input_tokens, omitted_tool_groups AS omitted, ended_at
         FROM turns ORDER BY id`,
      ),
    total: async () => {
      const range = { groupBy: "day", from: DAY, to: DAY } as const;
      return (await sumUsage(db, range)).total;
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

const INTERRUPTED = {
  state: "interrupted",
  assistant: null,
  omitted: null,
  ended_at: NOW,
};

describe("the turns that an earlier process left", () => {
  it("are interrupted with their text and counted; what has ended stays", async () => {
    await using left = await openLeft();
    for (const [name, state] of [
      ["streaming", "running"],
      ["asking", "waiting"],
      ["failed", "failed"],
    ] as const) {
      await left.say(`u${name}`, "user");
      await left.store(name, state);
    }
    await left.start();
    const turns = await left.turns();
    assert.deepEqual(
      turns.map(({ uuid, state, partial_text, ended_at }) => [uuid, state, partial_text, ended_at]),
      [
        ["streaming", "interrupted", "half", NOW],
        ["asking", "interrupted", "half", NOW],
        ["failed", "failed", "half", null],
      ],
    );
    const total = {
      turns: 2,
      turnsWithoutUsage: 0,
      inputTokens: 10,
      outputTokens: null,
      cachedInputTokens: null,
    };
    assert.deepEqual(await left.total(), total);
    await left.start();
    assert.deepEqual([await left.turns(), await left.total()], [turns, total]);
  });

  it("are not counted if their thread is deleted, which is in another workspace by then", async () => {
    await using left = await openLeft();
    await left.say("ugone", "user");
    await left.store("gone", "running");
    await left.client.execute("UPDATE workspaces SET deleted_at = 'x'");
    assert.equal((await left.total()).turns, 0);
    await left.start();
    assert.equal((await left.total()).turns, 0);
  });

  it("are found without reading all turns", async () => {
    await using left = await openLeft();
    const plan = await left.rows(`EXPLAIN QUERY PLAN ${USED_BY_ACTIVE}`);
    const steps = plan.map(({ detail }) => String(detail));
    assert.ok(steps.includes("SEARCH active USING INDEX turns_state (state=?)"), steps.join("\n"));
  });
});

describe("the turns whose records stood in the rows of their messages", () => {
  it("have records and usage: what completed is complete, what ran is interrupted with its text", async () => {
    await using left = await openLeft(BEFORE_ROWS);
    await left.begin("done");
    await left.begin("unsaid");
    await left.begin("streaming");
    await left.store("streaming", "running");
    await left.begin("failed");
    await left.store("failed", "failed");
    await left.begin("late");
    await left.store("late", "running");
    await left.say("posted", "assistant");
    await left.complete("late", 7);
    await left.complete("done", null);
    await left.start();
    assert.deepEqual(await left.turns(), [
      {
        uuid: "done",
        state: "completed",
        partial_text: null,
        user: "udone",
        assistant: "adone",
        input_tokens: null,
        omitted: '["note"]',
        ended_at: COMPLETED_AT,
      },
      { ...INTERRUPTED, uuid: "unsaid", partial_text: null, user: "uunsaid", input_tokens: null },
      {
        ...INTERRUPTED,
        uuid: "streaming",
        partial_text: "half",
        user: "ustreaming",
        input_tokens: 5,
      },
      {
        ...INTERRUPTED,
        uuid: "failed",
        state: "failed",
        partial_text: "half",
        user: "ufailed",
        input_tokens: 5,
        ended_at: null,
      },
      {
        uuid: "late",
        state: "completed",
        partial_text: null,
        user: "ulate",
        assistant: "alate",
        input_tokens: 7,
        omitted: '["note"]',
        ended_at: COMPLETED_AT,
      },
    ]);
    const total = {
      turns: 5,
      turnsWithoutUsage: 2,
      inputTokens: 17,
      outputTokens: null,
      cachedInputTokens: null,
    };
    assert.deepEqual(await left.total(), total);

    const turns = await left.turns();
    await left.start();
    assert.deepEqual([await left.turns(), await left.total()], [turns, total]);
  });

  it("are found if one of them began before the last that were added", async () => {
    await using left = await openLeft(BEFORE_ROWS);
    await left.begin("long");
    await left.begin("other");
    await left.complete("long", 3);
    const [long] = await left.rows("SELECT id FROM messages WHERE uuid = 'ulong'");
    await left.client.execute(`UPDATE settled_turns SET up_to = 3, active = '[${long?.id}]'`);
    await left.begin("next");
    await left.start();
    const states = (await left.turns()).map(({ uuid, state }) => [uuid, state]);
    assert.deepEqual(states, [
      ["long", "completed"],
      ["next", "interrupted"],
    ]);
  });

  it("are left out where their thread is deleted", async () => {
    await using left = await openLeft(BEFORE_ROWS);
    await left.begin("gone");
    await left.client.execute("UPDATE workspaces SET deleted_at = 'x'");
    await left.start();
    assert.deepEqual(await left.turns(), []);
    assert.equal((await left.total()).turns, 0);
  });

  for (const tokens of [1.5, -5, 2 ** 40 + 1, "7"]) {
    it(`are read as without usage: ${tokens}`, async () => {
      await using left = await openLeft(BEFORE_ROWS);
      await left.begin("odd");
      await left.complete("odd", tokens);
      await left.client.execute(
        `INSERT INTO usage (day, workspace_uuid, thread_uuid, model, turns, turns_without_usage, input_tokens)
         VALUES ('${DAY}', 'w', 't', 'echo', 1, 0, 9223372036854775807)`,
      );
      await left.start();
      assert.deepEqual(
        (await left.turns()).map(({ state, input_tokens }) => [state, input_tokens]),
        [["completed", null]],
      );
      assert.equal((await left.total()).turns, 2);
    });
  }

  for (const text of [
    "{",
    "[]",
    "7",
    '{"uuid":"good"}',
    '{"uuid":1,"source":null}',
    '{"uuid":{}}',
  ]) {
    it(`are left out if their text is damaged: ${text}`, async () => {
      await using left = await openLeft(BEFORE_ROWS);
      await left.begin("good");
      await left.say("ubad", "user", text);
      await left.say("abad", "assistant", text);
      await left.start();
      assert.deepEqual(
        (await left.turns()).map(({ uuid }) => uuid),
        ["good"],
      );
    });
  }
});

describe("the turns of an earlier version", () => {
  for (const version of ["0008", "0009"]) {
    it(`before step ${version} keep their records, order and usage`, async () => {
      await using left = await openLeft(migrations.filter(({ name }) => name < version));
      for (const [uuid, state] of [
        ["first", "completed"],
        ["second", "running"],
        ["third", "cancelled"],
      ]) {
        await left.client.batch([
          "INSERT INTO messages (uuid, thread_id, role, content, created_at) VALUES ('said', 1, 'system', 'x', 'x')",
          `UPDATE messages SET uuid = 'said ${uuid}' WHERE uuid = 'said'`,
          `INSERT INTO messages (uuid, thread_id, role, content, created_at) VALUES ('u${uuid}', 1, 'user', 'x', 'x')`,
          `INSERT INTO turns (uuid, thread_id, source, state, user_message_uuid, model, started_at, input_tokens)
           VALUES ('${uuid}', 1, 'http', '${state}', 'u${uuid}', 'echo', '${STARTED_AT}', 5)`,
        ]);
      }
      await left.client.execute(
        `INSERT INTO usage (day, workspace_uuid, thread_uuid, model, turns, turns_without_usage, input_tokens)
         VALUES ('${DAY}', 'w', 't', 'echo', 3, 1, 10)`,
      );
      await left.start();
      const turns = await left.rows(
        "SELECT turns.uuid, state, messages.uuid AS user FROM turns JOIN messages ON messages.id = turns.id ORDER BY turns.id",
      );
      assert.deepEqual(turns, [
        { uuid: "first", state: "completed", user: "ufirst" },
        { uuid: "second", state: "interrupted", user: "usecond" },
        { uuid: "third", state: "cancelled", user: "uthird" },
      ]);
      const total = {
        turns: 3,
        turnsWithoutUsage: 0,
        inputTokens: 15,
        outputTokens: null,
        cachedInputTokens: null,
      };
      assert.deepEqual(await left.total(), total);
    });
  }
});
