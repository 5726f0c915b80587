import type { BigIntStats } from "node:fs";
import { INDEX_BATCH_CHARACTERS, INDEX_BATCH_FILES } from "../../limits.ts";
import {
  type DocumentRow,
  listDocuments,
  type NewDocument,
  replaceDocument,
  updateStamp,
} from "../sidecar/document-store.ts";
import { deleteVanished } from "./delete-vanished.ts";
import { embedRemotely } from "./embed-remotely.ts";
import { prepareDocument, prepareSensitive } from "./prepare-document.ts";
import type { IndexRun } from "./run-context.ts";
import { currentStamp, stampOf } from "./stamp.ts";
import { type Found, walkRoot } from "./walk.ts";

/** Rows that are committed together: a run that is killed loses no more than these. */
interface Batch {
  documents: NewDocument[];
  stamps: { id: number; stamp: string | null }[];
  characters: number;
}

/** Brings the documents of an index up to date with the files of its root. Vectors of the built-in embedder come later. */
export async function readFiles(run: IndexRun): Promise<void> {
  const known = new Map(listDocuments(run.sidecar).map((row) => [row.path, row]));
  const seen = new Set<string>();
  const skipped = new Set<string>();
  const unreadable: string[] = [];
  const batch: Batch = { documents: [], stamps: [], characters: 0 };
  let done = 0;
  for (const found of walkRoot(run.realRoot)) {
    await run.pauses.pause();
    if (found.kind === "skipped") run.counts.skipped++;
    if (found.kind === "unreadable") {
      run.counts.errors++;
      unreadable.push(found.path);
    }
    if (found.kind !== "file") continue;
    const verdict = await readFile(run, found, known.get(found.path), batch);
    if (verdict === "stays") seen.add(found.path);
    if (verdict === "skipped") skipped.add(found.path);
    done++;
    run.report({ phase: "reading", done, total: null });
    if (isFull(batch)) await commit(run, batch);
  }
  await commit(run, batch);
  await deleteVanished(run, { known, seen, skipped, unreadable });
}

type FoundFile = Extract<Found, { kind: "file" }>;

/** Whether the document of this path stays in the index; if not, whether its file was counted. */
async function readFile(
  run: IndexRun,
  { path, stats, sensitive }: FoundFile,
  known: DocumentRow | undefined,
  batch: Batch,
): Promise<"stays" | "skipped" | "gone"> {
  const { counts } = run;
  const same = known?.sensitive === sensitive ? known : undefined;
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
  const prepared = await prepareDocument(run.realRoot, path, same?.hash ?? null);
  switch (prepared.kind) {
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

function isFull({ documents, stamps, characters }: Batch): boolean {
  const files = documents.length + stamps.length / STAMPS_FOR_A_FILE;
  return characters >= INDEX_BATCH_CHARACTERS || files >= INDEX_BATCH_FILES;
}

async function commit(run: IndexRun, batch: Batch): Promise<void> {
  const documents = batch.documents.splice(0);
  const stamps = batch.stamps.splice(0);
  batch.characters = 0;
  if (documents.length + stamps.length === 0) return;
  const embedded = await embedRemotely(run, documents);
  run.sidecar.write(() => {
    for (const document of embedded) replaceDocument(run.sidecar, document);
    for (const { id, stamp } of stamps) updateStamp(run.sidecar, id, stamp);
  });
}

// Device numbers may be others after a restart, so only what differs from the root's is worth knowing.
function deviceOf({ rootDevice }: IndexRun, { dev }: BigIntStats): string | null {
  return dev === rootDevice ? null : String(dev);
}
