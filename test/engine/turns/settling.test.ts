import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { InStatement } from "@libsql/client";
import fc from "fast-check";
import { embedded } from "../../../engine/db/embedded.ts";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { TURNS_UNSETTLED_KEPT_MAX, TURNS_UNSETTLED_MAX } from "../../../engine/turns/limits.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import { UnsettledTurns } from "../../../engine/turns/unsettled-turns.ts";
import type { Turn, TurnState } from "../../../engine/turns/wire.ts";
import { createChatHarness } from "../../support/engine/chat.ts";
import { createTestEngine, deletedRowsGone, type TestEngine } from "../../support/engine/engine.ts";
import { chat, endlessStep, harnessOf, meteredStep, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";

const NOW = "2026-01-02T05:00:00.000Z";

/** A turn as its client should see it. */
interface Known {
  uuid: string;
  threadUuid: string;
  state: TurnState;
  hasAnswer: boolean;
  inputTokens: number | null;
  isDeleted: boolean;
}

const STEPS = {
  completed: meteredStep({ inputTokens: 3, outputTokens: 1 }, { type: "delta", text: "yes" }),
  empty: meteredStep({ inputTokens: 2, outputTokens: 1 }),
  failed: ["half", new ModelFailure("It broke.")],
  running: endlessStep("so far"),
} satisfies Record<string, ScriptedStep>;

type Kind = keyof typeof STEPS;
const TOKENS: Record<Kind, number | null> = { completed: 3, empty: 2, failed: null, running: null };

/** Engines that follow each other on one database. */
class Lives implements AsyncDisposable {
  readonly known: Known[] = [];
  readonly #model = new ScriptedModel();
  readonly #tests: TestEngine[] = [];
  #workspaceUuid = "";

  get #test(): TestEngine {
    const test = this.#tests.at(-1);
    assert.ok(test);
    return test;
  }

  async open(): Promise<void> {
    await this.#start();
    const created = await this.#test.call("POST", "/workspaces", { name: "w" });
    this.#workspaceUuid = (await json(created)).uuid;
  }

  async turn(kind: Kind): Promise<void> {
    this.#model.add(STEPS[kind]);
    const test = this.#test;
    const path = `/workspaces/${this.#workspaceUuid}/turns`;
    const turn: Turn = await json(await test.call("POST", path, { content: "go" }), 202);
    const state = kind === "empty" ? "completed" : kind;
    if (kind !== "running") await (await test.call("GET", `/turns/${turn.uuid}/events`)).text();
    this.known.unshift({
      uuid: turn.uuid,
      threadUuid: turn.threadUuid,
      state,
      hasAnswer: kind === "completed",
      inputTokens: TOKENS[kind],
      isDeleted: false,
    });
  }

  async deleteThread(at: number): Promise<void> {
    const there = this.known.filter(({ isDeleted, state }) => !isDeleted && state !== "running");
    const turn = there[at % there.length];
    if (!turn) return;
    assert.equal((await this.#test.call("DELETE", `/threads/${turn.threadUuid}`)).status, 204);
    await deletedRowsGone(this.#test.deps.db);
    turn.isDeleted = true;
  }

  async stop(): Promise<void> {
    await this.#test.engine.close();
    await this.#start();
  }

  /** The process is gone, with all that it had in memory. */
  async crash(): Promise<void> {
    await this.#start();
  }

  async check(): Promise<void> {
    const shown: Turn[] = await json(await this.#test.call("GET", "/turns?limit=1000"));
    const there = this.known.filter(({ isDeleted }) => !isDeleted);
    assert.deepEqual(shown.map(toKnown), there);
    for (const turn of shown) {
      assert.deepEqual(await json(await this.#test.call("GET", `/turns/${turn.uuid}`)), turn);
      assert.equal(turn.endedAt === null, turn.state === "running");
    }
    for (const state of ["running", "completed", "failed", "interrupted"]) {
      const listed: Turn[] = await json(await this.#test.call("GET", `/turns?state=${state}`));
      const meant = shown.filter((turn) => turn.state === state);
      assert.deepEqual(listed, meant);
    }
    const { total } = await json(await this.#test.call("GET", "/usage?from=2026-01-01"));
    const tokens = this.known.flatMap(({ inputTokens }) => inputTokens ?? []);
    assert.deepEqual(
      [total.turns, total.turnsWithoutUsage, total.inputTokens ?? 0],
      [
        this.known.length,
        this.known.length - tokens.length,
        tokens.reduce((sum, count) => sum + count, 0),
      ],
    );
  }

  async #start(): Promise<void> {
    const [first] = this.#tests;
    const chat = scriptedChat(this.#model);
    if (first) await interruptActiveTurns(first.deps, NOW);
    this.#tests.push(await createTestEngine(first ? { chat, db: first.deps.db } : { chat }));
    for (const turn of this.known) if (turn.state === "running") turn.state = "interrupted";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const test of this.#tests.reverse()) {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
    }
  }
}

function toKnown(turn: Turn): Known {
  const { uuid, threadUuid, state, inputTokens } = turn;
  const hasAnswer = turn.assistantMessageUuid !== null;
  return { uuid, threadUuid, state, hasAnswer, inputTokens, isDeleted: false };
}

const action = fc.oneof(
  fc.record({
    do: fc.constant("turn" as const),
    kind: fc.constantFrom<Kind>("completed", "empty", "failed", "running"),
  }),
  fc.record({ do: fc.constant("delete" as const), at: fc.nat() }),
  fc.record({ do: fc.constant("stop" as const) }),
  fc.record({ do: fc.constant("crash" as const) }),
);

describe("records and usage of turns", () => {
  it("are the same from memory, from the tables and after a stop or a crash", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 3, maxLength: 14 }), async (actions) => {
        await using lives = new Lives();
        await lives.open();
        for (const step of actions) {
          if (step.do === "turn") await lives.turn(step.kind);
          else if (step.do === "delete") await lives.deleteThread(step.at);
          else if (step.do === "stop") await lives.stop();
          else await lives.crash();
          await lives.check();
        }
      }),
      { numRuns: 40 },
    );
  });

  it("are added to their tables for many turns at once, and counted once", async () => {
    await using harness = await createChatHarness();
    const { test } = harness;
    const rows = async () => {
      const { rows } = await test.deps.db.$client.execute("SELECT count(*) AS count FROM turns");
      return rows[0]?.count;
    };
    for (let turn = 1; turn < TURNS_UNSETTLED_MAX; turn += 1) await chat(harness, `t${turn}`);
    assert.equal(await rows(), 0);
    const before = await json(await test.call("GET", "/turns?limit=1000"));
    assert.equal(before.length, TURNS_UNSETTLED_MAX - 1);
    await chat(harness, "last");
    await test.engine.close();
    assert.equal(await rows(), TURNS_UNSETTLED_MAX);
    assert.deepEqual((await json(await test.call("GET", "/turns?limit=1000"))).slice(1), before);
    const { total } = await json(await test.call("GET", "/usage?from=2026-01-01"));
    assert.equal(total.turns, TURNS_UNSETTLED_MAX);
  });

  it("are shown as they ended, and stored later, where an end could not be written", async () => {
    await using harness = await harnessOf([["half", new ModelFailure("It broke.")]]);
    const { test } = harness;
    const { $client } = test.deps.db;
    const execute = $client.execute.bind($client);
    mock.method($client, "execute", async (statement: InStatement) => {
      if (JSON.stringify(statement).includes("INSERT INTO turns"))
        throw new Error("The disk is full.");
      return execute(statement);
    });
    await chat(harness);
    const { uuid, ...shown } = await turnOf(test);
    assert.deepEqual([shown.state, shown.partialText], ["failed", "half"]);
    const stored = async () => {
      const { rows } = await $client.execute("SELECT state, partial_text FROM turns");
      return rows.map((row) => [row[0], row[1]]);
    };
    assert.deepEqual(await stored(), []);
    await test.engine.close();
    assert.deepEqual(await stored(), [["failed", "half"]]);
    assert.deepEqual(await turnOf(test, uuid), { uuid, ...shown });
  });

  it("are found by the next start, where so many could not be added that some were forgotten", async () => {
    await using test = await createTestEngine();
    const { db, log } = test.deps;
    const { $client } = db;
    await $client.batch([
      "INSERT INTO networks (uuid, name, created_at) VALUES ('n', 'n', 'x')",
      "INSERT INTO workspaces (uuid, network_id, name, created_at, updated_at) SELECT 'w', max(id), 'w', 'x', 'x' FROM networks",
      "INSERT INTO threads (uuid, workspace_id, created_at, updated_at) SELECT 't', max(id), 'x', 'x' FROM workspaces",
      `INSERT INTO messages (uuid, thread_id, role, content, created_at, turn)
       WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n <= ${TURNS_UNSETTLED_KEPT_MAX})
       SELECT 'u' || n, 1, 'user', 'go', '2026-01-02', json_object('uuid', 't' || n, 'source', 'http', 'model', 'echo', 'startedAt', '2026-01-02') FROM number`,
      `INSERT INTO messages (uuid, thread_id, role, content, created_at, turn)
       SELECT 'a' || uuid, thread_id, 'assistant', 'yes', created_at, turn FROM messages`,
    ]);
    const failing = mock.method(embedded(db), "batchRelaxed", () => {
      throw new Error("The disk is full.");
    });
    const unsettled = new UnsettledTurns({ db, log, running: () => [] });
    for (let n = 1; n <= TURNS_UNSETTLED_KEPT_MAX + 1; n += 1) {
      unsettled.add({ turn: endedTurn(n), hasRow: false, isDeleted: false });
    }
    assert.equal([...unsettled.values()].length, TURNS_UNSETTLED_KEPT_MAX);
    failing.mock.restore();
    await unsettled.stop();
    await interruptActiveTurns({ db, log }, NOW);
    const { rows } = await $client.execute(
      "SELECT (SELECT count(*) FROM turns WHERE state = 'completed'), (SELECT sum(turns) FROM usage)",
    );
    assert.deepEqual(
      [rows[0]?.[0], rows[0]?.[1]],
      [TURNS_UNSETTLED_KEPT_MAX + 1, TURNS_UNSETTLED_KEPT_MAX + 1],
    );
  });
});

function endedTurn(n: number): Turn {
  return {
    uuid: `t${n}`,
    threadUuid: "t",
    workspaceUuid: "w",
    source: "http",
    state: "completed",
    error: null,
    partialText: null,
    userMessageUuid: `u${n}`,
    assistantMessageUuid: null,
    model: "echo",
    inputTokens: null,
    outputTokens: null,
    omittedToolGroups: [],
    startedAt: "2026-01-02",
    endedAt: "2026-01-02",
  };
}
