import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A judged collection: documents, queries, and which document answers which query how well. */
export interface Collection {
  name: string;
  documents: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  judgments: Map<string, Map<string, number>>;
}

/** What a ranking is worth, on average over the queries. */
export interface Quality {
  ndcg10: number;
  recall50: number;
}

const FOLDER = fileURLToPath(new URL("../../shared/data/ir", import.meta.url));

/** Undefined where the collections are not beside the repository. */
export function loadCollection(name: string): Collection | undefined {
  const folder = join(FOLDER, name);
  if (!existsSync(folder)) return undefined;
  const lines = (file: string) =>
    readFileSync(join(folder, file), "utf8").split("\n").filter(Boolean);
  const judgments: Collection["judgments"] = new Map();
  for (const line of lines("qrels.tsv").slice(1)) {
    const [query = "", document = "", score = "0"] = line.split("\t");
    const judged = judgments.get(query) ?? new Map<string, number>();
    judgments.set(query, judged.set(document, Number(score)));
  }
  const documents: Collection["documents"] = lines("corpus.jsonl").map((line) => JSON.parse(line));
  const queries: Collection["queries"] = lines("queries.jsonl").map((line) => JSON.parse(line));
  return { name, documents, queries: queries.filter(({ id }) => judgments.has(id)), judgments };
}

/** Each document as a file of its own, named by its id. Python functions are Python files, the others text with their title. */
export function writeDocuments({ name, documents }: Collection, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const extension = name.startsWith("cosqa") ? "py" : "txt";
  for (const { id, title, text } of documents) {
    const content = title === "" ? text : `${title}\n\n${text}`;
    writeFileSync(join(folder, `${id}.${extension}`), content);
  }
}

/** The documents of results, best first, each once. */
export function documentsOf(paths: readonly string[]): string[] {
  const ids = paths.map((path) => path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, ""));
  return [...new Set(ids)];
}

/** Averages over the queries; `rankings` has the documents of each, best first. */
export function measure(
  collection: Collection,
  rankings: ReadonlyMap<string, readonly string[]>,
): Quality {
  const sum: Quality = { ndcg10: 0, recall50: 0 };
  for (const { id } of collection.queries) {
    const judged = collection.judgments.get(id) ?? new Map<string, number>();
    const ranking = rankings.get(id) ?? [];
    sum.ndcg10 += ndcg(ranking.slice(0, 10), judged);
    sum.recall50 += recall(ranking.slice(0, 50), judged);
  }
  const count = collection.queries.length;
  return {
    ndcg10: sum.ndcg10 / count,
    recall50: sum.recall50 / count,
  };
}

function ndcg(ranking: readonly string[], judged: ReadonlyMap<string, number>): number {
  const gainOf = (scores: readonly number[]) =>
    scores.reduce((gain, score, at) => gain + Math.max(0, score) / Math.log2(at + 2), 0);
  const ideal = [...judged.values()].sort((a, b) => b - a).slice(0, 10);
  const best = gainOf(ideal);
  return best === 0 ? 0 : gainOf(ranking.map((id) => judged.get(id) ?? 0)) / best;
}

function recall(ranking: readonly string[], judged: ReadonlyMap<string, number>): number {
  const found = ranking.filter((id) => (judged.get(id) ?? 0) > 0).length;
  return found / Math.max(1, relevantIn(judged));
}

function relevantIn(judged: ReadonlyMap<string, number>): number {
  return [...judged.values()].filter((score) => score > 0).length;
}
