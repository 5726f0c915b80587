// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Client } from "@libsql/core/api";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { migrate, pendingMigrations } from "../../../shared/migrate.ts";
import { createD1CommandClient } from "../../../signin/cli/d1-command-client.ts";
import { createWrangler, type WranglerResult } from "../../../signin/cli/wrangler.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import { D1_COMMAND_BYTES_MAX, WRANGLER_OUTPUT_BYTES_MAX } from "../../../signin/limits.ts";
import { createD1Client } from "../../../signin/workers/d1-client.ts";
import { MACHINE } from "../../support/processes.ts";
import { isLongRun } from "../../support/repeats.ts";
import { cli } from "../../support/signin/cli.ts";
import { d1Worker, openD1 } from "../../support/worker.ts";

/** wrangler is large: compiled once, it starts in half of the time. */
const { NODE_COMPILE_CACHE } = MACHINE;
const ID = "5f6d2f0a-3a3f-4b8e-9d55-6b1f0c1d2e3f";
const CONFIG = `name = "signin"
compatibility_date = "2026-11-01"
[[d1_databases]]
binding = "DB"
database_name = "signin-db"
database_id = "${ID}"
`;

/** A folder with a configuration of wrangler. */
async function openProject() {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-d1-"));
  const config = join(folder, "wrangler.toml");
  await writeFile(config, CONFIG);
  return {
    config,
    state: join(folder, ".wrangler/state"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

/** The local database as Miniflare opens it, in the folder where wrangler keeps it. */
async function withLocal(state: string, use: (client: Client) => Promise<unknown>): Promise<void> {
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      workers: [d1Worker(ID)],
      resourcePersistencePath: join(state, "v3"),
    }),
  );
  try {
    await use(createD1Client(openD1(await miniflare.unsafeGetDirectURL("d1"))));
  } finally {
    await miniflare.dispose();
  }
}

describe("migrate --d1", () => {
  it("applies the same steps to the local database through wrangler, once", async ({ signal }) => {
    await using project = await openProject();
    const args = ["--json", "migrate", "--d1", "signin-db", "--local", "--config", project.config];
    // Each step is a start of wrangler: only a long run has all of them.
    const done = isLongRun ? [] : migrations.slice(0, -1);
    await withLocal(project.state, (local) => migrate(local, done));
    const applied = migrations.slice(done.length).map(({ name }) => name);
    const first = await cli({ NODE_COMPILE_CACHE }, args);
    assert.deepEqual(first.json, [
      { database: "signin-db (D1, local)", applied: applied.join(", ") },
    ]);
    // Other commands work there, too, and find no step that is left.
    if (isLongRun) {
      const text = ["--contains", "o'; -- $$ BEGIN TRANSACTION;"];
      const none = await cli({ NODE_COMPILE_CACHE }, ["users", "list", ...args.slice(2), ...text]);
      assert.equal(none.out, "No accounts.\n", none.error);
    }
    const wrangler = createWrangler({ env: { NODE_COMPILE_CACHE }, folder: project.state, signal });
    const place = { name: "signin-db", isRemote: false, config: project.config };
    const client = createD1CommandClient(wrangler, place);
    const state = "o'; -- $$ COMMIT;\n";
    const [, deleted] = await client.batch([
      {
        sql: "INSERT INTO used_nonces (nonce_hash, expires_at) VALUES (?, ?)",
        args: [state, 7],
      },
      "DELETE FROM used_nonces RETURNING nonce_hash, expires_at",
    ]);
    assert.equal(deleted?.rows.length, 1);
    assert.equal(deleted.rows[0]?.nonce_hash, state);
    assert.equal(deleted.rows[0]?.expires_at, 7);
    await withLocal(project.state, async (local) => {
      assert.deepEqual(await pendingMigrations(local, migrations), []);
    });
  });

  it("says in one sentence what is wrong", async () => {
    await using project = await openProject();
    const place = ["--config", project.config];
    const cases: [args: string[], sentence: RegExp][] = [
      [["--d1", "other", ...place], /^wrangler: Couldn't find a D1 DB .*'other'/],
      [
        ["--d1", "signin-db", "--local", "--remote"],
        /^--local and --remote cannot be used together/,
      ],
      [["--remote"], /^--local, --remote and --config need --d1 NAME/],
    ];
    // A second sentence of wrangler is a second start of it.
    if (isLongRun) {
      const remote = ["--d1", "signin-db", "--remote", ...place];
      cases.push([remote, /^wrangler: .*CLOUDFLARE_API_TOKEN/]);
    }
    for (const [args, sentence] of cases) {
      const { code, error, out } = await cli({ NODE_COMPILE_CACHE, HOME: project.state }, [
        "migrate",
        ...args,
      ]);
      assert.equal(code, 1, args.join(" "));
      assert.match(error, sentence);
      assert.equal(error.trim().split("\n").length, 1, error);
      assert.equal(out, "");
    }
  });
});

describe("the client of wrangler's commands", () => {
  const answer = (value: unknown, code = 0): WranglerResult => ({
    code,
    out: JSON.stringify(value),
    error: "",
  });

  it("puts values into the SQL, each statement of a batch into one command", async () => {
    const asked: (readonly string[])[] = [];
    const run = async (args: readonly string[]) => {
      asked.push(args);
      return answer([{ results: [] }, { results: [{ n: 1 }] }]);
    };
    const client = createD1CommandClient({ run }, { name: "db", isRemote: true });
    const [, second] = await client.batch([
      "CREATE TABLE t (a TEXT DEFAULT '?');",
      { sql: "INSERT INTO t VALUES (?, ?) RETURNING n", args: ["it's; -- ?", 7] },
    ]);
    assert.equal(second?.rows[0]?.n, 1);
    assert.deepEqual(asked, [
      [
        ...["d1", "execute", "db", "--remote", "--json", "--yes", "--command"],
        "CREATE TABLE t (a TEXT DEFAULT '?');\nINSERT INTO t VALUES (CAST(X'697427733b202d2d203f' AS TEXT), 7) RETURNING n",
      ],
    ]);
  });

  it("runs one command after the other", async () => {
    let running = 0;
    const run = async () => {
      running += 1;
      assert.equal(running, 1);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return answer([{ results: [{ n: 1 }] }]);
    };
    const client = createD1CommandClient({ run }, { name: "db", isRemote: false });
    await Promise.all([1, 2, 3].map((n) => client.execute("SELECT :n AS n", { n })));
  });

  it("is refused where a command or its answer is too long, and wrangler is not asked for the first", async () => {
    let calls = 0;
    const run = async () => {
      calls += 1;
      return { code: 0, out: "[".padEnd(WRANGLER_OUTPUT_BYTES_MAX, " "), error: "" };
    };
    const client = createD1CommandClient({ run }, { name: "db", isRemote: false });
    const long = "x".repeat(D1_COMMAND_BYTES_MAX);
    await assert.rejects(client.execute("SELECT ?", [long]), /too long for one wrangler command/);
    assert.equal(calls, 0);
    await assert.rejects(client.execute("SELECT 1"), /Request fewer rows/);
  });

  it("is refused where wrangler fails, or says what is no result", async () => {
    const failures: WranglerResult[] = [
      answer([{ results: [] }], 1),
      answer({ error: { text: "D1 is away" } }, 1),
      { code: 0, out: "Welcome!", error: "" },
      { code: null, out: "", error: "" },
    ];
    for (const failure of failures) {
      const wrangler = { run: async () => failure };
      const client = createD1CommandClient(wrangler, { name: "db", isRemote: false });
      await assert.rejects(migrate(client, migrations), /^CommandFailed: wrangler: /);
    }
  });
});
