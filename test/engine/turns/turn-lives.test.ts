// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { InStatement } from "@libsql/client";
import fc from "fast-check";
import { ModelFailure } from "../../../engine/models/language-model.ts";
import { interruptActiveTurns } from "../../../engine/turns/record-store.ts";
import type { Turn, TurnState } from "../../../engine/turns/wire.ts";
import type { ChatHarness } from "../../support/engine/chat.ts";
import { createTestEngine, deletedRowsGone, type TestEngine } from "../../support/engine/engine.ts";
import { chat, endlessStep, harnessOf, meteredStep, turnOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../../support/providers/model.ts";
import { repeats } from "../../support/repeats.ts";

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
  it("are the same while turns run, after their ends, and after a stop or a crash", async () => {
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
      { numRuns: repeats({ once: 6, long: 400 }) },
    );
  });

  for (const [later, makeLater] of [
    ["the next end", (harness: ChatHarness) => chat(harness, "next")],
    ["the engine stops", ({ test }: ChatHarness) => test.engine.close()],
  ] as const) {
    it(`are stored with ${later} if an end could not be stored`, async () => {
      const broken = () => new ModelFailure("It broke.");
      await using harness = await harnessOf([["half", broken()], [broken()]]);
      const { test } = harness;
      const { $client } = test.deps.db;
      const batch = $client.batch.bind($client);
      const failing = mock.method($client, "batch", async (statements: InStatement[]) => {
        if (JSON.stringify(statements).includes("UPDATE turns"))
          throw new Error("The disk is full.");
        return batch(statements);
      });
      assert.equal((await chat(harness)).type, "chat.error");
      failing.mock.restore();
      const [{ uuid }] = await json(await test.call("GET", "/turns"));
      await makeLater(harness);
      const { state, error, partialText } = await turnOf(test, uuid);
      assert.deepEqual([state, error, partialText], ["failed", "It broke.", "half"]);
      const { total } = await json(await test.call("GET", "/usage?from=2026-01-01"));
      assert.equal(total.turns, (await json(await test.call("GET", "/turns"))).length);
    });
  }
});
