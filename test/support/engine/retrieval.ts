import { rmSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { IndexRuns } from "../../../engine/retrieval/index-runs.ts";
import type { RetrievalRoot } from "../../../engine/retrieval/retrieval.ts";
import { OwnIndexes } from "../../../engine/retrieval/sidecar/own-indexes.ts";
import type { RagResult, RagRootIndex, RagSearch } from "../../../engine/retrieval/wire.ts";
import { openRetrieval, type Retrieval } from "../../../engine/retrieval/worker-client.ts";
import { type Logger, silentLogger } from "../../../shared/log.ts";
import { TestClock } from "../time.ts";
import { createTestEngine, type EngineOverrides, TEST_CONFIG, type TestEngine } from "./engine.ts";
import { expect200, type Files, temporaryRoot, writeFiles } from "./files.ts";

/** An engine with one workspace over temporary roots, spoken to over HTTP. */
export interface Rag extends AsyncDisposable {
  engine: TestEngine;
  uuid: string;
  roots: string[];
  /** Calls `/workspaces/{uuid}/rag<path>`. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Indexes one root; fails where that is not answered with 200. */
  index(rootIndex?: number): Promise<RagRootIndex>;
  /** Searches; fails where that is not answered with 200. */
  search(query: string, rest?: Partial<RagSearch>): Promise<RagResult[]>;
}

/** Threads for several engines, none of which ends them: their start takes longer than most tests. */
export function openSharedRetrieval(deps: Parameters<typeof openRetrieval>[0]) {
  const threads = openRetrieval(deps);
  const end = threads[Symbol.asyncDispose].bind(threads);
  const retrieval: Retrieval = Object.assign(threads, { [Symbol.asyncDispose]: async () => {} });
  return { retrieval, end };
}

// The watchdogs never fire.
const shared = openSharedRetrieval({
  config: TEST_CONFIG,
  log: silentLogger,
  timers: new TestClock(),
});
// Outside of any suite: after the last test of this process.
after(shared.end);

/** Its retrieval is that of all tests, unless it has a configuration or threads of its own. */
export async function createRag(
  roots: readonly Files[],
  overrides: EngineOverrides = {},
): Promise<Rag> {
  const folders = roots.map((files) => {
    const folder = temporaryRoot();
    writeFiles(folder, files);
    return folder;
  });
  const { retrieval } = shared;
  const engine = await createTestEngine({
    ...(!overrides.config && { retrieval }),
    ...overrides,
  });
  const created = await engine.call("POST", "/workspaces", {
    name: "w",
    directories: JSON.stringify(folders),
  });
  const { uuid } = (await created.json()) as { uuid: string };
  const call = (method: string, path: string, body?: unknown) =>
    engine.call(method, `/workspaces/${uuid}/rag${path}`, body);
  return {
    engine,
    uuid,
    roots: folders,
    call,
    index: async (rootIndex = 0) => expect200(await call("POST", `/roots/${rootIndex}/index`)),
    search: async (query, rest = {}) =>
      expect200(await call("POST", "/search", { query, ...rest })),
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Changes the index of a root from outside and lists it again, so that the engine reads what was changed. */
export function changeIndex(root: string, change: (path: string) => void): void {
  const path = join(root, ".engine/sidecar.db");
  change(path);
  new OwnIndexes(TEST_CONFIG.dataDirectory).end(path);
}

/** A document with two headings. */
export const GUIDE = `# Guide

The cache is refreshed every minute.

## Install

Run the installer and wait.
`;

/** A root with a document, a source file and a file of secrets. */
export const FILES = {
  "guide.md": GUIDE,
  "src/user.ts": "export function getUserName() {\n  return 1;\n}\n",
  ".env": "PASSWORD=canary-value-1\n",
};

/** Status and body of an error. */
export async function errorOf(response: Response): Promise<{ status: number; body: unknown }> {
  return { status: response.status, body: await response.json() };
}

/** Retrieval without threads and files: it finds nothing, and an index run ends at once. */
export function createRetrievalStub(overrides: Partial<Retrieval> = {}): Retrieval {
  return {
    indexRoot: async () => ({ indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 }),
    onProgress: () => () => {},
    search: async () => [],
    status: async () => [],
    failures: async () => [],
    readDocument: async () => ({ kind: "text", title: "", pages: [] }),
    runs: new IndexRuns(),
    [Symbol.asyncDispose]: async () => {},
    ...overrides,
  };
}

const WORKER = new URL("../../engine/retrieval/hanging-worker.ts", import.meta.url);

/** Retrieval whose indexing thread hangs: see test/engine/retrieval/hanging-worker.ts. */
export interface HangingBench extends AsyncDisposable {
  retrieval: Retrieval;
  clock: TestClock;
  roots: RetrievalRoot[];
  /** Resolves when the indexing thread hangs for the next time. */
  hung(): Promise<string>;
  find(query: string, rootIndex: number): Promise<string[]>;
}

/** Over temporary roots. */
export async function createHangingBench(
  roots: readonly Files[],
  log: Logger = silentLogger,
): Promise<HangingBench> {
  const clock = new TestClock();
  const config = TEST_CONFIG;
  const retrieval = openRetrieval({ config, log, timers: clock, worker: WORKER });
  const channel = new BroadcastChannel("hanging");
  const known = roots.map((files, rootIndex) => {
    const path = temporaryRoot();
    writeFiles(path, files);
    return { rootIndex, path };
  });
  return {
    retrieval,
    clock,
    roots: known,
    hung: () =>
      new Promise((resolve) => {
        channel.onmessage = (event) => resolve(String((event as MessageEvent).data));
      }),
    find: async (query, rootIndex) => {
      const request = { query, mode: "keyword" as const, limit: 50 };
      const hits = await retrieval.search([known[rootIndex] as RetrievalRoot], request);
      return hits.map(({ path }) => path).toSorted();
    },
    async [Symbol.asyncDispose]() {
      await retrieval[Symbol.asyncDispose]();
      channel.close();
      for (const { path } of known) rmSync(path, { recursive: true });
    },
  };
}
