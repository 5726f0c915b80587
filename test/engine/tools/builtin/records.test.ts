// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LIST_PAGE_ROWS_MAX } from "../../../../engine/limits.ts";
import { deletedRowsGone } from "../../../support/engine/engine.ts";
import { createToolBench, type ToolBench } from "../../../support/engine/tools.ts";

const KINDS = [
  {
    one: "todo",
    many: "todos",
    create: { title: "Buy milk" },
    stored: { title: "Buy milk", status: "open" },
    change: { status: "done" },
  },
  {
    one: "memory",
    many: "memories",
    create: { content: "likes tea" },
    stored: { content: "likes tea" },
    change: { content: "likes coffee" },
  },
  {
    one: "note",
    many: "notes",
    create: { title: "T", content: "C" },
    stored: { title: "T", content: "C" },
    change: { content: "D" },
  },
  {
    one: "contact",
    many: "contacts",
    create: { name: "Ann", email: "a@example.test" },
    stored: { name: "Ann", email: "a@example.test", phone: null, notes: null },
    change: { email: null, phone: "1" },
  },
] as const;

const NOW = "2026-01-02T03:04:05.000Z";

async function rows(bench: ToolBench, table: string) {
  return (await bench.test.deps.db.$client.execute(`SELECT * FROM ${table}`)).rows;
}

for (const { one, many, create, stored, change } of KINDS) {
  describe(`The tools for a ${one}`, () => {
    it("create, list, change and delete it", async () => {
      await using bench = await createToolBench();
      const made = await bench.run(`create_${one}`, create);
      assert.deepEqual(made, { id: made.id, ...stored, created_at: NOW, updated_at: NOW });
      assert.deepEqual(await bench.run(`list_${many}`, {}), {
        [many]: [made],
        total: 1,
        next_offset: null,
      });
      bench.test.deps.clock.advance(1000);
      const changed = await bench.run(`update_${one}`, { id: made.id, ...change });
      const updated_at = "2026-01-02T03:04:06.000Z";
      assert.deepEqual(changed, { ...made, ...change, updated_at });
      assert.deepEqual(await bench.run(`delete_${one}`, { id: made.id }), { deleted: made.id });
      assert.deepEqual((await bench.run(`list_${many}`, {})).total, 0);
    });

    it("reach no other workspace", async () => {
      await using bench = await createToolBench();
      const made = await bench.run(`create_${one}`, create);
      const context = { ...bench.context, workspace: { ...bench.context.workspace } };
      await bench.test.call("POST", "/workspaces", { name: "other" });
      const { rows: ids } = await bench.test.deps.db.$client.execute(
        "SELECT max(id) AS id FROM workspaces",
      );
      bench.context.workspace = { ...context.workspace, id: Number(ids[0]!.id) };
      assert.equal((await bench.run(`list_${many}`, {})).total, 0);
      const missing = `id: this workspace has no such ${one}.`;
      await bench.fails(`update_${one}`, { id: made.id, ...change }, missing);
      await bench.fails(`delete_${one}`, { id: made.id }, missing);
    });

    it("are deleted with their workspace", async () => {
      await using bench = await createToolBench();
      await bench.run(`create_${one}`, create);
      await bench.test.call("DELETE", `/workspaces/${bench.context.workspace.uuid}`);
      await deletedRowsGone(bench.test.deps.db);
      assert.deepEqual(await rows(bench, many), []);
      await bench.fails(`create_${one}`, create, "The workspace was deleted.");
    });

    it("name the argument that is wrong", async () => {
      await using bench = await createToolBench();
      const [required] = Object.keys(create);
      await bench.fails(`create_${one}`, {}, new RegExp(`${required}: is required`));
      await bench.fails(
        `create_${one}`,
        { ...create, [required!]: "" },
        new RegExp(`^${required}: `),
      );
      await bench.fails(`create_${one}`, { ...create, [required!]: "x".repeat(20_000) }, /at most/);
      await bench.fails(`update_${one}`, change, "id: is required.");
      await bench.fails(`list_${many}`, { limit: 1000 }, "limit: must be at most 100.");
      await bench.fails(`delete_${one}`, "no object", "body: must be an object.");
    });
  });
}

/** Notes `odd 1`, `even 2`, `odd 3` and so on; the last one is the newest. */
async function addNotes(bench: ToolBench, count: number): Promise<void> {
  await bench.test.deps.db.$client.execute({
    sql: `INSERT INTO notes (uuid, workspace_id, title, content, created_at, updated_at)
      WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
      SELECT 'n' || n, ?1, iif(n % 2, 'odd ', 'even ') || n, '', '', printf('%09d', n) FROM number`,
    args: [bench.context.workspace.id, count],
  });
}

/** How often the event loop goes round until it is stopped. */
function countTurns(): { stop(): number } {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = () => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  return {
    stop() {
      clearImmediate(next);
      return turns;
    },
  };
}

describe("Lists of records", () => {
  it("have the newest first, in pages, and find text without case", async () => {
    await using bench = await createToolBench();
    for (const title of ["one A", "two b", "three a"]) {
      await bench.run("create_todo", { title });
      bench.test.deps.clock.advance(1);
    }
    const titles = async (args: object) => {
      const { todos, ...rest } = await bench.run("list_todos", args);
      return [todos.map((todo: { title: string }) => todo.title), rest];
    };
    assert.deepEqual(await titles({ limit: 2 }), [
      ["three a", "two b"],
      { total: 3, next_offset: 2 },
    ]);
    assert.deepEqual(await titles({ limit: 2, offset: 2 }), [
      ["one A"],
      { total: 3, next_offset: null },
    ]);
    assert.deepEqual(await titles({ query: " A" }), [
      ["three a", "one A"],
      { total: 2, next_offset: null },
    ]);
    assert.deepEqual(await titles({ query: "%" }), [[], { total: 0, next_offset: null }]);
  });

  it("of very many are whole, and let the event loop go on meanwhile", async () => {
    await using bench = await createToolBench();
    const count = 3 * LIST_PAGE_ROWS_MAX;
    await addNotes(bench, count);
    const turns = countTurns();
    const offset = LIST_PAGE_ROWS_MAX - 5;
    const page = await bench.run("list_notes", { query: "EVEN", limit: 20, offset });
    assert.ok(turns.stop() >= 3);
    assert.deepEqual(
      page.notes.map(({ title }: { title: string }) => title),
      Array.from({ length: 20 }, (_, at) => `even ${count - 2 * (offset + at)}`),
    );
    assert.deepEqual([page.total, page.next_offset], [count / 2, offset + 20]);
  });

  it("end with their turn", async () => {
    await using bench = await createToolBench();
    await addNotes(bench, 2 * LIST_PAGE_ROWS_MAX);
    const stop = new AbortController();
    const listed = bench.run("list_notes", {}, stop.signal);
    stop.abort(new Error("The turn was cancelled."));
    await assert.rejects(listed, /cancelled/);
  });

  it("stop at a bound, and continue at the next offset", async () => {
    await using bench = await createToolBench();
    for (let at = 0; at < 6; at += 1) {
      await bench.run("create_memory", { content: `${at}${"x".repeat(9_000)}` });
    }
    const seen = new Set<string>();
    let offset: number | null = 0;
    while (offset !== null) {
      const page: { memories: { id: string }[]; next_offset: number | null } = await bench.run(
        "list_memories",
        { offset },
      );
      assert.ok(JSON.stringify(page).length < 30_000);
      for (const { id } of page.memories) seen.add(id);
      offset = page.next_offset;
    }
    assert.equal(seen.size, 6);
  });
});

describe("A change of a todo", () => {
  it("leaves the status that it does not name", async () => {
    await using bench = await createToolBench();
    const { id } = await bench.run("create_todo", { title: "t", status: "in_progress" });
    assert.equal((await bench.run("update_todo", { id, title: "u" })).status, "in_progress");
  });
});

describe("Records and their thread", () => {
  it("todos and memories lose the reference with the thread, and stay", async () => {
    await using bench = await createToolBench();
    await bench.run("create_todo", { title: "t" });
    await bench.run("create_memory", { content: "m" });
    for (const table of ["todos", "memories"]) {
      assert.equal((await rows(bench, table))[0]!.thread_id, bench.context.thread.id);
    }
    await bench.test.call("DELETE", `/threads/${bench.context.thread.uuid}`);
    await deletedRowsGone(bench.test.deps.db);
    for (const table of ["todos", "memories"]) {
      assert.equal((await rows(bench, table))[0]!.thread_id, null);
    }
    // A thread that goes while its turn runs is no reason to lose what is to be remembered.
    await bench.run("create_memory", { content: "later" });
    assert.equal((await rows(bench, "memories"))[1]!.thread_id, null);
  });
});

describe("The current time", () => {
  it("is in UTC and in a zone", async () => {
    await using bench = await createToolBench();
    const told = await bench.run("get_current_time", { time_zone: "Europe/Berlin" });
    assert.equal(told.utc, NOW);
    assert.match(told.local, /2 January 2026.*04:04:05/);
    assert.equal((await bench.run("get_current_time", {})).time_zone, "UTC");
    await bench.fails(
      "get_current_time",
      { time_zone: "Mars" },
      "time_zone: is not a known time zone.",
    );
  });
});
