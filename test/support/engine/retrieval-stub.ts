import { IndexRuns } from "../../../engine/retrieval/index-runs.ts";
import type { Retrieval } from "../../../engine/retrieval/retrieval.ts";

/** Retrieval without threads and files: it finds nothing, and an index run ends at once. */
export function createRetrievalStub(overrides: Partial<Retrieval> = {}): Retrieval {
  return {
    indexRoot: async () => ({ indexed: 0, unchanged: 0, skipped: 0, errors: 0, removed: 0 }),
    judge: async () => ({ isRelevant: true, ignored: [] }),
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
