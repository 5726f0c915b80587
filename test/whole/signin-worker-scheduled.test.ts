import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { cli, openServerDatabase } from "../support/signin/cli.ts";
import { KEYS } from "../support/signin/runtimes.ts";
import { buildWorker, COMPATIBILITY } from "../support/worker.ts";

interface Scheduled {
  scheduled(event: { cron: string }): Promise<{ outcome: string }>;
}

it("the Worker's daily trigger deletes what is over", async () => {
  await using database = await openServerDatabase();
  assert.equal((await cli(database.env, ["migrate"])).code, 0);
  const { $client } = database.db;
  await $client.execute(
    "INSERT INTO audit_events (at, type, outcome) VALUES (1, 'login.failure', 'failure')",
  );
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      name: "signin",
      modules: true,
      script: await readFile(await buildWorker(), "utf8"),
      compatibilityDate: COMPATIBILITY.date,
      compatibilityFlags: COMPATIBILITY.flags,
      cf: false,
      telemetry: { enabled: false },
      bindings: {
        APP_ENV: "test",
        APP_BASE_URL: "http://127.0.0.1:8787",
        ...KEYS,
        DATABASE_URL: database.env.DATABASE_URL ?? "",
        DATABASE_AUTH_TOKEN: database.env.DATABASE_AUTH_TOKEN ?? "",
      },
      handleStructuredLogs: () => {},
    }),
  );
  try {
    // Its types are those of the Workers platform, which this project does not load.
    const worker = (await miniflare.getWorker()) as unknown as Scheduled;
    const { outcome } = await worker.scheduled({ cron: "17 3 * * *" });
    assert.equal(outcome, "ok");
  } finally {
    await miniflare.dispose();
  }
  const { rows } = await $client.execute("SELECT id FROM audit_events");
  assert.deepEqual(rows, []);
});
