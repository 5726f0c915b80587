import { rmSync } from "node:fs";
import type { Retrieval, RetrievalRoot } from "../../../engine/retrieval/retrieval.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { type Logger, silentLogger } from "../../../shared/log.ts";
import { TestClock } from "../clock.ts";
import { type Files, temporaryRoot, writeFiles } from "./rag.ts";

const WORKER = new URL("../processes/hanging-worker.ts", import.meta.url);

/** Retrieval whose indexing thread hangs: see `hanging-worker.ts`. */
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
  const config = { embeddings: { kind: "builtin" as const } };
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
