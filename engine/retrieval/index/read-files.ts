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
import { deleteVanished } from "./delete-vanished.ts";
import { currentStamp, type IndexRun, stampOf } from "./index-run.ts";
import { prepareDocument, prepareSensitive } from "./prepare-document.ts";
import { type Found, type WalkOptions, walkFolders, walkRoot } from "./walk.ts";

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

/** The result for one file: its count, and the rows to write. */
interface Outcome {
  counted?: "indexed" | "unchanged" | "skipped" | "errors";
  /** Whether the document of this path stays in the index. */
  stays: boolean;
  document?: NewDocument;
  stamp?: Batch["stamps"][number] | undefined;
  failure?: FailureRow | undefined;
  /** The path has an outdated failure of an earlier run. */
  cured?: boolean;
}

/** Updates the documents of an index to the files of its root. */
export async function readFiles(run: IndexRun): Promise<void> {
  const known = new Map(listDocuments(run.sidecar).map((row) => [row.path, row]));
  const failures = new Map(listFailures(run.sidecar).map((row) => [row.path, row]));
  const walked = {
    known,
    seen: new Set<string>(),
    skipped: new Set<string>(),
    unreadable: [] as string[],
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
      walked.unreadable.push(found.path);
      const known = failures.get(found.path);
      failures.delete(found.path);
      // The failure of an ignore file is that file's own.
      if (!found.blocked) addFailure(batch, retriedAlways(found.path, FOLDER), known);
    }
    if (found.kind !== "file") continue;
    const { path } = found;
    const about = { document: known.get(path), failure: failures.get(path) };
    failures.delete(path);
    const outcome = await readFile(run, found, about);
    if (outcome.counted) run.counts[outcome.counted] += 1;
    if (outcome.stays) walked.seen.add(path);
    else if (outcome.counted === "skipped") walked.skipped.add(path);
    addOutcome(batch, path, outcome, about.failure);
    run.files.done += 1;
    reportFiles(run);
    if (isFull(batch)) await commit(run, batch);
  }
  batch.cured.push(...outdated(failures.keys(), new Set(walked.unreadable)));
  await commit(run, batch);
  await deleteVanished(run, walked);
}

function reportFiles({ files, report }: IndexRun): void {
  // Files may appear while they are read.
  files.total = Math.max(files.done, files.total ?? 0);
  report({ phase: "reading", ...files });
}

// The walk did not find these paths. One below a folder that could not be read may still exist.
function outdated(paths: Iterable<string>, unreadable: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => {
    if (unreadable.has("")) return false;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (unreadable.has(path.slice(0, at + 1))) return false;
    }
    return true;
  });
}

const FOLDER = "The folder cannot be opened or read.";

/** A failure that every run retries. */
function retriedAlways(path: string, reason: string): FailureRow {
  return { path, stamp: null, hash: null, reason };
}

type FoundFile = Extract<Found, { kind: "file" }>;

async function readFile(
  run: IndexRun,
  { path, stats, sensitive }: FoundFile,
  known: Known,
): Promise<Outcome> {
  const same = known.document?.sensitive === sensitive ? known.document : undefined;
  const failure = sensitive ? undefined : known.failure;
  const current = currentStamp(stats);
  if (failure?.stamp === current) return { counted: "errors", stays: true };
  if (same?.stamp === current) return { counted: "unchanged", stays: true };
  const stamp = stampOf(stats, run.startedMs);
  const device = deviceOf(run, stats);
  if (sensitive) {
    // The file is never opened, so only its times can be compared.
    const document = { ...prepareSensitive(path), stamp: current, device };
    return { counted: "indexed", stays: true, document, cured: known.failure !== undefined };
  }
  const hashes = { indexed: same?.hash ?? null, failed: failure?.hash ?? null };
  const prepared = await prepareDocument(run, path, hashes);
  const cured = known.failure !== undefined;
  switch (prepared.kind) {
    case "failed":
      return { counted: "errors", stays: true, failure: { ...prepared, path, stamp } };
    case "failed-before":
      return { counted: "errors", stays: true, failure: failure && { ...failure, stamp } };
    case "document": {
      const document = { ...prepared.document, stamp, device };
      return { counted: "indexed", stays: true, document, cured };
    }
    case "same":
      return { counted: "unchanged", stays: true, stamp: same && { id: same.id, stamp }, cured };
    case "error":
      return { counted: "errors", stays: true, failure: retriedAlways(path, prepared.reason) };
    case "skipped":
      return { counted: "skipped", stays: false, cured };
    case "ignored":
    case "gone":
      return { stays: false, cured };
  }
}

function addOutcome(batch: Batch, path: string, outcome: Outcome, known?: FailureRow): void {
  const { document, stamp, failure, cured } = outcome;
  if (stamp) batch.stamps.push(stamp);
  if (failure) addFailure(batch, failure, known);
  if (cured) batch.cured.push(path);
  if (!document) return;
  batch.documents.push(document);
  for (const { content } of document.chunks) batch.characters += content.length;
}

// A known failure is written again where its stamp or hash may differ.
function addFailure(batch: Batch, failure: FailureRow, known: FailureRow | undefined): void {
  const { stamp, hash, reason } = failure;
  const isKnown = known?.reason === reason && known.stamp === stamp;
  if (hash !== null || !isKnown) batch.failures.push(failure);
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
