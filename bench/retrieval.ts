// `npm run bench:retrieval`: how well the engine as it is started finds what the judged collections beside the repository ask
// for, whole and in variants. A change of the ranking is judged by these figures; none of them is a bar.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchMode } from "../engine/retrieval/retrieval.ts";
import type { RagResult } from "../engine/retrieval/wire.ts";
import { type EngineProcess, startEngineProcess } from "../test/support/engine/process.ts";
import {
  type Collection,
  documentsOf,
  loadCollection,
  measure,
  type Quality,
  writeDocuments,
} from "./collections.ts";
import { variantsOf, withShortQueries } from "./variants.ts";

const MODES = ["keyword", "vector", "hybrid"] as const;
const COLLECTIONS = ["cranfield", "scifact", "cosqa"];

const work = mkdtempSync(join(tmpdir(), "roundhouse-bench-"));
try {
  await using engine = await startEngineProcess();
  say("collection, queries: nDCG@10 / recall@50 by keyword, vector, hybrid");
  for (const name of COLLECTIONS) {
    const collection = loadCollection(name);
    if (!collection) say(`${name}: ../shared/data/ir is not beside the repository.`);
    else
      for (const variant of [collection, ...variantsOf(collection)]) await bench(engine, variant);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

async function bench(engine: EngineProcess, variant: Collection): Promise<void> {
  const folder = join(work, variant.name);
  writeDocuments(variant, folder);
  const uuid = await createWorkspace(engine, folder);
  await post(engine, `/workspaces/${uuid}/rag/roots/0/index`);
  for (const [queries, collection] of [
    ["whole queries", variant],
    ["queries of four words", withShortQueries(variant, 4)],
    ["queries of two words", withShortQueries(variant, 2)],
  ] as const) {
    const figures: string[] = [];
    for (const mode of MODES) {
      const { ndcg10, recall50 } = await measureOverHttp(engine, { uuid, mode, collection });
      figures.push(`${short(ndcg10)} / ${short(recall50)}`);
    }
    say(`${variant.name}, ${queries}: ${figures.join(", ")}`);
  }
}

// The API gives 50 chunks at most; a document counts once.
async function measureOverHttp(
  engine: EngineProcess,
  { uuid, mode, collection }: { uuid: string; mode: SearchMode; collection: Collection },
): Promise<Quality> {
  const rankings = new Map<string, string[]>();
  for (const { id, text } of collection.queries) {
    const body = { query: text, mode, limit: 50 };
    const hits = await post<RagResult[]>(engine, `/workspaces/${uuid}/rag/search`, body);
    rankings.set(id, documentsOf(hits.map(({ path }) => path)));
  }
  return measure(collection, rankings);
}

async function createWorkspace(engine: EngineProcess, folder: string): Promise<string> {
  const body = { name: folder, directories: JSON.stringify([folder]) };
  return (await post<{ uuid: string }>(engine, "/workspaces", body)).uuid;
}

async function post<Body>(engine: EngineProcess, path: string, body?: unknown): Promise<Body> {
  const response = await engine.call("POST", path, body);
  if (response.status !== 200)
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Body;
}

function short(value: number): string {
  return value.toFixed(3).replace(/^0/, "");
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
