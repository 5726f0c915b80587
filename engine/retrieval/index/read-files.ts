import type { BigIntStats } from "node:fs";
import {
  INDEX_BATCH_CHARACTERS,
  INDEX_BATCH_FILES,
  WALK_FILES_MAX,
  WATCHED_FOLDERS_MAX,
} from "../limits.ts";
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
import { bumpGeneration } from "../sidecar/meta-store.ts";
import { deleteVanished, isBelow } from "./delete-vanished.ts";
import { currentStamp, type IndexRun, stampOf } from "./index-run.ts";
import { prepareDocument, prepareSensitive } from "./prepare-document.ts";
import { type FoundFile, type WalkOptions, walkFolders, walkRoot } from "./walk.ts";

/** Rows of one commit: a killed run loses no more than these. */
interface Batch {
  documents: NewDocument[];
  stamps: { id: number; stamp: string | null }[];
  failures: FailureRow[];
  /** Paths whose recorded failure is outdated. */
  cured: string[];
  characters: number;
}

interface Known {
  document: DocumentRow | undefined;
  failure: FailureRow | undefined;
}

/** The result for one file: its count, and the rows to write. A file that is not counted is no document any more. */
interface Outcome {
  counted?: "indexed" | "unchanged" | "skipped" | "errors";
  document?: NewDocument;
  stamp?: Batch["stamps"][number] | undefined;
  failure?: FailureRow | undefined;
}

/** Updates the documents of an index to the files of its root. */
export async function readFiles(run: IndexRun): Promise<void> {
  const known = new Map(listDocuments(run.sidecar).map((row) => [row.path, row]));
  const failures = new Map(listFailures(run.sidecar).map((row) => [row.path, row]));
  const walked = {
    known,
    seen: new Set<string>(),
    skipped: new Set<string>(),
    unreadable: new Set<string>(),
  };
  const batch = createBatch();
  const options = {
    ...run.walk,
    mark: (path: string) => run.heartbeat.enter(run.root.path, path),
    hasFailed: (path: string, stats: BigIntStats) =>
      failures.get(path)?.stamp === currentStamp(stats),
  };
  run.report({ phase: "counting", done: 0, total: null });
  const survey = await surveyRoot(run, options);
  run.files.total = survey.files;
  await run.reportFolders(survey.folders, run.startedMs);
  reportFiles(run);
  for (const found of walkRoot(run.realRoot, options)) {
    await run.slices.rest();
    if (found.kind === "skipped") run.counts.skipped += 1;
    if (found.kind === "unreadable") {
      run.counts.errors += 1;
      walked.unreadable.add(found.path);
      failures.delete(found.path);
      // The failure of an ignore file is that file's own.
      if (!found.blocked) batch.failures.push(retriedAlways(found.path, FOLDER));
    }
    if (found.kind !== "file") continue;
    const { path } = found;
    const about = { document: known.get(path), failure: failures.get(path) };
    failures.delete(path);
    const outcome = await readFile(run, found, about);
    const { counted } = outcome;
    if (counted) run.counts[counted] += 1;
    if (counted === "skipped") walked.skipped.add(path);
    else if (counted) walked.seen.add(path);
    if (about.failure && counted !== "errors") batch.cured.push(path);
    addOutcome(batch, outcome);
    run.files.done += 1;
    reportFiles(run);
    if (isFull(batch)) await commit(run, batch);
  }
  // The walk did not find these paths. One below a folder that could not be read may still exist.
  for (const path of failures.keys()) {
    if (!isBelow(path, walked.unreadable)) batch.cured.push(path);
  }
  await commit(run, batch);
  await deleteVanished(run, walked);
}

function reportFiles({ files, report }: IndexRun): void {
  // Files may appear while they are read.
  files.total = Math.max(files.done, files.total ?? 0);
  report({ phase: "reading", ...files });
}

const FOLDER = "The folder cannot be opened or read.";

/** A failure that every run retries. */
function retriedAlways(path: string, reason: string): FailureRow {
  return { path, stamp: null, hash: null, reason };
}

async function readFile(
  run: IndexRun,
  { path, stats, sensitive }: FoundFile,
  known: Known,
): Promise<Outcome> {
  const same = known.document?.sensitive === sensitive ? known.document : undefined;
  const failure = sensitive ? undefined : known.failure;
  const current = currentStamp(stats);
  if (failure?.stamp === current) return { counted: "errors" };
  if (same?.stamp === current) return { counted: "unchanged" };
  const stamp = stampOf(stats, run.startedMs);
  const device = deviceOf(run, stats);
  if (sensitive) {
    // The file is never opened, so only its times can be compared.
    const document = { ...prepareSensitive(path), stamp: current, device };
    return { counted: "indexed", document };
  }
  const hashes = { indexed: same?.hash ?? null, failed: failure?.hash ?? null };
  const prepared = await prepareDocument(run, path, hashes);
  switch (prepared.kind) {
    case "failed":
      return { counted: "errors", failure: { ...prepared, path, stamp } };
    case "failed-before":
      return { counted: "errors", failure: failure && { ...failure, stamp } };
    case "document":
      return { counted: "indexed", document: { ...prepared.document, stamp, device } };
    case "same":
      return { counted: "unchanged", stamp: same && { id: same.id, stamp } };
    case "error":
      return { counted: "errors", failure: retriedAlways(path, prepared.reason) };
    case "skipped":
      return { counted: "skipped" };
    case "ignored":
    case "gone":
      return {};
  }
}

function addOutcome(batch: Batch, { document, stamp, failure }: Outcome): void {
  if (stamp) batch.stamps.push(stamp);
  if (failure) batch.failures.push(failure);
  if (!document) return;
  batch.documents.push(document);
  for (const { content } of document.chunks) batch.characters += content.length;
}

// A new stamp is small beside a document.
const ROWS_FOR_A_FILE = 10;

function createBatch(): Batch {
  return { documents: [], stamps: [], failures: [], cured: [], characters: 0 };
}

function isFull({ documents, stamps, failures, characters }: Batch): boolean {
  // A document that failed took long, so it is committed at once.
  if (failures.some(({ hash }) => hash !== null)) return true;
  const files = documents.length + (stamps.length + failures.length) / ROWS_FOR_A_FILE;
  return characters >= INDEX_BATCH_CHARACTERS || files >= INDEX_BATCH_FILES;
}

async function commit(run: IndexRun, batch: Batch): Promise<void> {
  const { documents, stamps, failures, cured } = { ...batch };
  Object.assign(batch, createBatch());
  if (documents.length + stamps.length + failures.length + cured.length === 0) return;
  const embedded = await run.embedder.embedDocuments(run, documents);
  run.sidecar.write(() => {
    for (const document of embedded) replaceDocument(run.sidecar, document);
    if (embedded.some(hasVector)) bumpGeneration(run.sidecar);
    for (const { id, stamp } of stamps) updateStamp(run.sidecar, id, stamp);
    for (const path of cured) deleteFailure(run.sidecar, path);
    for (const failure of failures) upsertFailure(run.sidecar, failure);
  });
}

function hasVector({ chunks }: NewDocument): boolean {
  return chunks.some(({ embedding }) => embedding !== undefined);
}

// Device numbers may change with a restart, so only one that differs from the root's is stored.
function deviceOf({ rootDevice }: IndexRun, { dev }: BigIntStats): string | null {
  return dev === rootDevice ? null : String(dev);
}

/** The folders and files that a run will read, found without opening or inspecting a file. */
interface Survey {
  files: number;
  /** Relative to the root; each ends in `/`, the root is empty. */
  folders: string[];
}

/** The quick count before a run, so that its share is known from the start. */
async function surveyRoot(run: IndexRun, options: WalkOptions): Promise<Survey> {
  const survey: Survey = { files: 0, folders: [] };
  for (const entry of walkFolders(run.realRoot, options)) {
    await run.slices.rest();
    if (entry.kind !== "folder") continue;
    // One more than the limit shows that there are too many.
    if (survey.folders.length <= WATCHED_FOLDERS_MAX) survey.folders.push(entry.path);
    for (const { isFile } of entry.files) if (isFile) survey.files += 1;
  }
  survey.files = Math.min(survey.files, WALK_FILES_MAX);
  return survey;
}
