import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RagResult, RagRootStatus } from "../../engine/retrieval/wire.ts";
import { type EventReader, readEvents } from "../support/engine/events.ts";
import { expect200, temporaryRoot } from "../support/engine/files.ts";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { repeats } from "../support/repeats.ts";
import { until } from "../support/time.ts";

const MANY = repeats({ once: 60, long: 2_000 });

async function readChanges(engine: EngineProcess): Promise<EventReader> {
  const { body } = await engine.call("GET", "/changes");
  assert.ok(body);
  return readEvents(body);
}

/** Waits for the end of a run, without a word to the engine. */
async function nextRun(changes: EventReader): Promise<void> {
  for (;;) {
    const [change] = await changes.take(1);
    if (change?.event !== "rag.completed") continue;
    assert.equal(change.data.state, "completed");
    return;
  }
}

async function watchRoot(engine: EngineProcess, root: string): Promise<string> {
  const body = {
    name: "w",
    directories: JSON.stringify([root]),
    ragConfig: JSON.stringify({ roots: [{ path: root, watch: true }] }),
  };
  return (await expect200<{ uuid: string }>(await engine.call("POST", "/workspaces", body))).uuid;
}

async function find(engine: EngineProcess, uuid: string, query: string): Promise<string[]> {
  const search = { query, mode: "keyword", limit: 50 };
  const answer = await engine.call("POST", `/workspaces/${uuid}/rag/search`, search);
  return (await expect200<RagResult[]>(answer)).map(({ path }) => path).toSorted();
}

async function statusOf(engine: EngineProcess, uuid: string): Promise<RagRootStatus> {
  const answer = await engine.call("GET", `/workspaces/${uuid}/rag/status`);
  const { roots } = await expect200<{ roots: RagRootStatus[] }>(answer);
  return roots[0] as RagRootStatus;
}

/** The descriptors of a process that watch folders; Linux alone shows them. */
function watchDescriptors({ child }: EngineProcess): number {
  const folder = `/proc/${child.pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      // Closed meanwhile.
      return "";
    }
  });
  return targets.filter((target) => target.includes("inotify")).length;
}

// Both wait for a root to be quiet.
describe("An engine that watches a root", { concurrency: true }, () => {
  it("indexes many files at once in one or two runs, and what became of them", async () => {
    const root = temporaryRoot();
    try {
      await using engine = await startEngineProcess();
      const changes = await readChanges(engine);
      const uuid = await watchRoot(engine, root);
      await nextRun(changes);
      mkdirSync(join(root, "many"));
      for (let at = 0; at < MANY; at += 1) {
        writeFileSync(join(root, "many", `${at}.txt`), `zebra ${at}`);
      }
      let runs = 0;
      for (let documents = 0; documents < MANY; runs += 1) {
        await nextRun(changes);
        ({ documents } = await statusOf(engine, uuid));
      }
      assert.ok(runs <= 2, `${runs} runs`);
      writeFileSync(join(root, "many", "0.txt"), "okapi");
      renameSync(join(root, "many", "1.txt"), join(root, "one.txt"));
      rmSync(join(root, "many", "2.txt"));
      // A report of the many files may begin one more run before this one.
      do await nextRun(changes);
      while ((await statusOf(engine, uuid)).documents === MANY);
      assert.deepEqual(await find(engine, uuid, "okapi"), ["many/0.txt"]);
      assert.equal((await statusOf(engine, uuid)).documents, MANY - 1);
      assert.equal((await statusOf(engine, uuid)).watching, true);
      assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it("brings it up to date at its start, and watches what comes to its place", async () => {
    const root = temporaryRoot();
    const dataDirectory = temporaryDirectory();
    writeFileSync(join(root, "a.txt"), "zebra");
    try {
      const first = await startEngineProcess({ dataDirectory });
      const seen = await readChanges(first);
      const uuid = await watchRoot(first, root);
      await nextRun(seen);
      assert.deepEqual(await first.end("SIGTERM"), { code: 0, signal: null });
      writeFileSync(join(root, "b.txt"), "zebra");
      await using engine = await startEngineProcess({ dataDirectory });
      await until("The file of the time between", async () =>
        (await find(engine, uuid, "zebra")).includes("b.txt"),
      );
      await until(
        "The end of the run",
        async () => (await statusOf(engine, uuid)).progress === null,
      );
      renameSync(root, `${root}-away`);
      assert.equal((await statusOf(engine, uuid)).problem, "The folder does not exist.");
      mkdirSync(root);
      writeFileSync(join(root, "c.txt"), "zebra");
      await until(
        "The other root",
        async () => (await find(engine, uuid, "zebra")).join() === "c.txt",
      );
      writeFileSync(join(root, "d.txt"), "zebra");
      await until("The new file", async () =>
        (await find(engine, uuid, "zebra")).includes("d.txt"),
      );
      if (process.platform === "linux") assert.equal(watchDescriptors(engine), 1);
      await engine.call("DELETE", `/workspaces/${uuid}`);
      if (process.platform !== "linux") return;
      await until("The end of the watch", () =>
        watchDescriptors(engine) === 0 ? true : undefined,
      );
    } finally {
      rmSync(root, { recursive: true });
      rmSync(`${root}-away`, { recursive: true });
      rmSync(dataDirectory, { recursive: true });
    }
  });
});
