// Slow: it forks and deletes at random.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { AttachmentFiles } from "../../../engine/messages/attachment-files.ts";
import type { Message } from "../../../engine/messages/wire.ts";
import type { Database } from "../../../shared/database.ts";
import { type ChatHarness, createChatHarness } from "../../support/engine/chat.ts";
import { TEST_CONFIG } from "../../support/engine/engine.ts";
import { createTestFolder, type TestFolder } from "../../support/engine/files.ts";
import { endOf } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { repeats } from "../../support/repeats.ts";
import { WATCHDOG_MS } from "../../support/time.ts";

const textOf = (file: number) => `bytes of ${file}`;
const nameOf = (file: number) => createHash("sha256").update(textOf(file)).digest("hex");

/** An engine that keeps its files in a folder. */
function harnessIn(folder: TestFolder): Promise<ChatHarness> {
  return createChatHarness({ config: { ...TEST_CONFIG, dataDirectory: folder.path } });
}

/** Resolves once the stored files are these. */
async function assertStored(folder: TestFolder, expected: string[]): Promise<void> {
  const place = join(folder.path, "attachments");
  const stored = () => (existsSync(place) ? readdirSync(place).sort() : []);
  const watchdog = AbortSignal.timeout(WATCHDOG_MS);
  while (!watchdog.aborted && stored().join() !== expected.join()) await setImmediate();
  assert.deepEqual(stored(), expected);
}

/** Starts a turn in a thread and waits for its end. */
async function ask(harness: ChatHarness, threadUuid: string, files: number[], more = {}) {
  const attachments = files.map((file) => ({ name: `${file}.txt`, data: btoa(textOf(file)) }));
  const body = { content: "x", file_context: { attachments }, ...more };
  const response = await harness.test.call("POST", `/threads/${threadUuid}/turns`, body);
  return endOf(harness, await json(response, 202));
}

/** The files of the questions of each thread that is there. */
type Threads = Map<string, number[][]>;

type Step = (harness: ChatHarness, threads: Threads, thread: string) => Promise<void>;

/** The uuids of the questions of a thread. */
async function questionsOf({ test }: ChatHarness, thread: string): Promise<string[]> {
  const messages: Message[] = await json(await test.call("GET", `/threads/${thread}/messages`));
  return messages.filter(({ role }) => role === "user").map(({ uuid }) => uuid);
}

const asksWith =
  (files: number[]): Step =>
  async (harness, threads, thread) => {
    await ask(harness, thread, files);
    threads.set(thread, [...(threads.get(thread) ?? []), files]);
  };

const forks: Step = async ({ test }, threads, thread) => {
  const fork = await json(await test.call("POST", `/threads/${thread}/forks`, {}), 201);
  threads.set(fork.uuid, threads.get(thread) ?? []);
};

const replacesWith =
  (files: number[] | undefined): Step =>
  async (harness, threads, thread) => {
    const asked = threads.get(thread) ?? [];
    const replaces = (await questionsOf(harness, thread)).at(-1);
    if (replaces === undefined) return;
    const kept = files === undefined ? { file_context: null } : {};
    const turn = await ask(harness, thread, files ?? [], { replaces, ...kept });
    threads.set(turn.threadUuid, [...asked.slice(0, -1), files ?? asked.at(-1) ?? []]);
  };

const deletes: Step = async ({ test }, threads, thread) => {
  await test.call("DELETE", `/threads/${thread}`);
  threads.delete(thread);
};

const files = fc.uniqueArray(fc.nat(3), { maxLength: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: files.map(asksWith) },
  fc.constant(forks),
  fc.option(files, { nil: undefined }).map(replacesWith),
  { weight: 2, arbitrary: fc.constant(deletes) },
);
const plan = fc.array(fc.tuple(step, fc.nat(9)), { minLength: 4, maxLength: 14 });

/** The texts of the attachments of a message. */
async function textsOf({ test }: ChatHarness, uuid: string): Promise<string[]> {
  const list: { url: string }[] = await json(
    await test.call("GET", `/messages/${uuid}/attachments`),
  );
  const read = list.map(({ url }) => test.call("GET", url.replace("/api/v1", "")));
  return Promise.all((await Promise.all(read)).map((response) => response.text()));
}

describe("the file of an attachment", () => {
  it("is there once, as long as a message has it, over forks and deletes", async () => {
    const property = fc.asyncProperty(plan, async (steps) => {
      await using folder = await createTestFolder({});
      await using harness = await harnessIn(folder);
      const threads: Threads = new Map([[harness.threadUuid, []]]);
      for (const [take, at] of steps) {
        const uuids = [...threads.keys()];
        const thread = uuids[at % uuids.length];
        if (thread !== undefined) await take(harness, threads, thread);
      }
      const used = [...threads.values()].flat(2);
      await assertStored(folder, [...new Set(used.map(nameOf))].sort());
      for (const [thread, asked] of threads) {
        const uuids = await questionsOf(harness, thread);
        assert.deepEqual(
          await Promise.all(uuids.map((uuid) => textsOf(harness, uuid))),
          asked.map((files) => files.map(textOf)),
        );
      }
    });
    await fc.assert(property, { numRuns: repeats({ once: 8, long: 300 }) });
  });

  it("is removed by the next start if a crash left it unfinished, or before its message", async () => {
    await using folder = await createTestFolder({});
    await using harness = await harnessIn(folder);
    await ask(harness, harness.threadUuid, [1]);
    await mkdir(folder.at("attachments"), { recursive: true });
    for (const name of [nameOf(2), `${nameOf(3)}.x.tmp`]) {
      await writeFile(folder.at("attachments", name), "left");
    }
    harness.test.engine.resume();
    await assertStored(folder, [nameOf(1)]);
  });

  it("is removed though an unfinished one that was listed with it has got its name meanwhile", async () => {
    await using folder = await createTestFolder({});
    await using harness = await harnessIn(folder);
    await ask(harness, harness.threadUuid, [1]);
    const unfinished = folder.at("attachments", `${nameOf(2)}.x.tmp`);
    await writeFile(unfinished, "a");
    await writeFile(folder.at("attachments", nameOf(3)), "left");
    const { db, config } = harness.test.deps;
    const asked: Database = Object.create(db, {
      $client: {
        get() {
          rmSync(unfinished, { force: true });
          return db.$client;
        },
      },
    });
    await new AttachmentFiles({ db: asked, config }).removeUnused();
    await assertStored(folder, [nameOf(1)]);
  });

  it("that is missing fails no turn", async () => {
    await using folder = await createTestFolder({});
    await using harness = await harnessIn(folder);
    const { userMessageUuid: replaces } = await ask(harness, harness.threadUuid, [1]);
    await rm(folder.at("attachments", nameOf(1)));
    assert.equal((await ask(harness, harness.threadUuid, [])).state, "completed");
    const kept = { replaces, file_context: null };
    assert.equal((await ask(harness, harness.threadUuid, [], kept)).state, "completed");
  });
});
