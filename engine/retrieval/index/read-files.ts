import type { BigIntStats } from "node:fs";
import { INDEX_BATCH_CHARACTERS, INDEX_BATCH_FILES } from "../../limits.ts";
import {
  type DocumentRow,
  listDocuments,
  type NewDocument,
  replaceDocument,
  updateStamp,
} from "../sidecar/document-store.ts";
import {
  deleteFailure,
  type FailureRow,
  listFailures,
  upsertFailure,
} from "../sidecar/failure-store.ts";
import { deleteVanished } from "./delete-vanished.ts";
import { embedRemotely } from "./embed-remotely.ts";
import { currentStamp, type IndexRun, stampOf } from "./index-run.ts";
import { prepareDocument, prepareSensitive } from "./prepare-document.ts";
import { type Found, walkRoot } from "./walk.ts";

/** Rows that are committed together: a run that is killed loses no more than these. */
interface Batch {
  documents: NewDocument[];
  stamps: { id: number; stamp: string | null }[];
  failures: FailureRow[];
  /** Paths of failures that are no more. */
  cured: string[];
  characters: number;
}

/** What the index knows of a path. */
interface Known {
  document: DocumentRow | undefined;
  failure: FailureRow | undefined;
}

/** Brings the documents of an index up to date with the files of its root. Vectors of the built-in embedder come later. */
export async function readFiles(run: IndexRun): Promise<void> {
  const known = new Map(listDocuments(run.sidecar).map((row) => [row.path, row]));
  const failures = new Map(listFailures(run.sidecar).map((row) => [row.path, row]));
  const seen = new Set<string>();
  const skipped = new Set<string>();
  const unreadable: string[] = [];
  const batch = createBatch();
  let done = 0;
  let position = 0;
  run.report({ phase: "reading", done, total: null });
  for (const found of walkRoot(run.realRoot, run.walk)) {
    await run.pauses.pause();
    // A run that replaces one whose thread hung: what that one has counted and committed is not counted again.
    if (position === run.resume.position) Object.assign(run.counts, run.resume.counts);
    position++;
    if (found.kind === "skipped") run.counts.skipped++;
    if (found.kind === "unreadable") {
      run.counts.errors++;
      unreadable.push(found.path);
    }
    if (found.kind !== "file") continue;
    const about = { document: known.get(found.path), failure: failures.get(found.path) };
    failures.delete(found.path);
    const verdict = await readFile(run, found, about, batch);
    if (verdict === "stays") seen.add(found.path);
    if (verdict === "skipped") skipped.add(found.path);
    done++;
    run.report({ phase: "reading", done, total: null });
    if (isFull(batch) && (await commit(run, batch))) {
      run.checkpoint({ position, counts: { ...run.counts } });
    }
  }
  if (position <= run.resume.position) Object.assign(run.counts, run.resume.counts);
  // What is left was not met: those files are gone, or a folder above them could not be read.
  if (unreadable.length === 0) batch.cured.push(...failures.keys());
  await commit(run, batch);
  await deleteVanished(run, { known, seen, skipped, unreadable });
}

type FoundFile = Extract<Found, { kind: "file" }>;

/** Whether the document of this path stays in the index; if not, whether its file was counted. */
async function readFile(
  run: IndexRun,
  { path, stats, sensitive }: FoundFile,
  known: Known,
  batch: Batch,
): Promise<"stays" | "skipped" | "gone"> {
  const { counts } = run;
  const same = known.document?.sensitive === sensitive ? known.document : undefined;
  const failure = sensitive ? undefined : known.failure;
  if (failure?.stamp != null && failure.stamp === currentStamp(stats)) {
    counts.errors++;
    return "stays";
  }
  if (same?.stamp != null && same.stamp === currentStamp(stats)) {
    counts.unchanged++;
    return "stays";
  }
  const file = { stamp: stampOf(stats, run.startedMs), device: deviceOf(run, stats) };
  if (sensitive) {
    // Never opened, so its times are all there is to go by.
    addDocument(batch, { ...prepareSensitive(path), ...file, stamp: currentStamp(stats) });
    counts.indexed++;
    return "stays";
  }
  const hashes = { indexed: same?.hash ?? null, failed: failure?.hash ?? null };
  const prepared = await prepareDocument(run, path, hashes);
  if (known.failure && !prepared.kind.startsWith("failed")) batch.cured.push(path);
  switch (prepared.kind) {
    case "failed":
      batch.failures.push({ ...prepared, path, stamp: file.stamp });
      counts.errors++;
      return "stays";
    case "failed-before":
      if (failure) batch.failures.push({ ...failure, stamp: file.stamp });
      counts.errors++;
      return "stays";
    case "document":
      addDocument(batch, { ...prepared.document, ...file });
      counts.indexed++;
      return "stays";
    case "same":
      if (same) batch.stamps.push({ id: same.id, stamp: file.stamp });
      counts.unchanged++;
      return "stays";
    case "error":
      counts.errors++;
      return "stays";
    case "skipped":
      counts.skipped++;
      return "skipped";
    case "ignored":
    case "gone":
      return "gone";
  }
}

function addDocument(batch: Batch, document: NewDocument): void {
  batch.documents.push(document);
  for (const { content } of document.chunks) batch.characters += content.length;
}

// A new stamp is next to nothing beside a document.
const STAMPS_FOR_A_FILE = 10;

function createBatch(): Batch {
  return { documents: [], stamps: [], failures: [], cured: [], characters: 0 };
}

function isFull({ documents, stamps, failures, characters }: Batch): boolean {
  // A failure took long: it is remembered at once.
  if (failures.length > 0) return true;
  const files = documents.length + stamps.length / STAMPS_FOR_A_FILE;
  return characters >= INDEX_BATCH_CHARACTERS || files >= INDEX_BATCH_FILES;
}

/** Whether there was something to commit. */
async function commit(run: IndexRun, batch: Batch): Promise<boolean> {
  const { documents, stamps, failures, cured } = { ...batch };
  Object.assign(batch, createBatch());
  if (documents.length + stamps.length + failures.length + cured.length === 0) return false;
  const embedded = await embedRemotely(run, documents);
  run.sidecar.write(() => {
    for (const document of embedded) replaceDocument(run.sidecar, document);
    for (const { id, stamp } of stamps) updateStamp(run.sidecar, id, stamp);
    for (const path of cured) deleteFailure(run.sidecar, path);
    for (const failure of failures) upsertFailure(run.sidecar, failure);
  });
  return true;
}

// Device numbers may be others after a restart, so only what differs from the root's is worth knowing.
function deviceOf({ rootDevice }: IndexRun, { dev }: BigIntStats): string | null {
  return dev === rootDevice ? null : String(dev);
}
