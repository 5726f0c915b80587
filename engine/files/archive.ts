import type { Entry, LocalFileHeader, ZipFile } from "yauzl";
import { ARCHIVE_ENTRIES_MAX, ARCHIVE_RATIO_MAX, ARCHIVE_UNPACKED_BYTES_MAX } from "./limits.ts";

/** The source of an archive: an open file, which the caller closes, or bytes in memory. */
type ArchiveSource = { descriptor: number } | { bytes: Uint8Array };

/** The required parts of a Word document. */
export const DOCX_PARTS = ["[Content_Types].xml", "word/document.xml"];

const END_RECORD_BYTES = 22;
const MARKUP = /\.(?:xml|rels)$/i;

// General purpose flags: encrypted, strongly encrypted, directory encrypted.
const ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000;
const SIZES_FOLLOW_FLAG = 0x8;
const STORED = 0;
const DEFLATED = 8;

const FILE_TYPE_BITS = 0o170000;
const PLAIN_TYPES = new Set([0, 0o100000, 0o040000]);

/**
 * Why an archive is unsafe, as the end of a sentence, or undefined. Checks its directory first, then unpacks the entries
 * without keeping them, to verify their declared sizes. `markupBytesMax` bounds the unpacked size of one part of markup
 * (`.xml`, `.rels`).
 */
export async function findArchiveFault(
  source: ArchiveSource,
  requiredParts: readonly string[],
  signal?: AbortSignal,
  markupBytesMax = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  try {
    const archive = await parseArchive(source);
    if (archive.entryCount > ARCHIVE_ENTRIES_MAX) return "has too many entries";
    const entries: Entry[] = [];
    for await (const entry of archive.eachEntry()) {
      entries.push(entry);
      signal?.throwIfAborted();
    }
    const inOrder = entries.toSorted(
      (one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
    );
    const fault =
      faultOfDirectory(archive, entries, requiredParts) ??
      faultOfMarkup(entries, markupBytesMax) ??
      (await findLayoutFault(archive, inOrder));
    if (fault !== undefined) return fault;
    for (const entry of inOrder) await unpackIntoNothing(archive, entry, signal);
    return undefined;
  } catch (error) {
    if (signal?.aborted || !(error instanceof Error)) throw error;
    // Errors with a code are of the disk or of zlib; all others are yauzl's, about the archive.
    if ("code" in error && !String(error.code).startsWith("Z_")) throw error;
    return "is damaged";
  }
}

/** The entries of an archive by name, each as a function that unpacks it in pieces. Call `findArchiveFault` before. */
export async function parseArchiveParts(
  bytes: Uint8Array,
): Promise<ReadonlyMap<string, () => AsyncIterable<Uint8Array>>> {
  const archive = await parseArchive({ bytes });
  const parts = new Map<string, () => AsyncIterable<Uint8Array>>();
  for await (const entry of archive.eachEntry()) {
    parts.set(entry.fileName, () => unpack(archive, entry));
  }
  return parts;
}

async function* unpack(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  yield* await archive.openReadStreamPromise(entry);
}

async function parseArchive(source: ArchiveSource): Promise<ZipFile> {
  const { default: yauzl } = await import("yauzl");
  const strict = { strictFileNames: true, validateEntrySizes: true };
  if ("bytes" in source) return yauzl.fromBufferPromise(Buffer.from(source.bytes), strict);
  // `autoClose: false` and no `close()`: the caller closes the descriptor.
  return yauzl.fromFdPromise(source.descriptor, { autoClose: false, ...strict });
}

function faultOfDirectory(
  archive: ZipFile,
  entries: readonly Entry[],
  requiredParts: readonly string[],
): string | undefined {
  // The directory ends where its end record begins: no uncounted entry, no ZIP64 record, no hidden data.
  const endRecord = archive.fileSize - END_RECORD_BYTES - archive.comment.length;
  if (Number(archive.readEntryCursor) !== endRecord) return "has a directory that is not whole";
  const names = new Set(entries.map((entry) => entry.fileName.toLowerCase()));
  if (names.size !== entries.length) return "has two entries of one name";
  if (!requiredParts.every((part) => names.has(part.toLowerCase()))) return "lacks required parts";
  const fault = entries.map(faultOfEntry).find((found) => found !== undefined);
  if (fault !== undefined) return fault;
  const unpacked = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpacked > ARCHIVE_UNPACKED_BYTES_MAX || unpacked > archive.fileSize * ARCHIVE_RATIO_MAX)
    return "unpacks to too much";
  return undefined;
}

function faultOfMarkup(entries: readonly Entry[], bytesMax: number): string | undefined {
  const isTooMuch = entries.some(
    ({ fileName, uncompressedSize }) => MARKUP.test(fileName) && uncompressedSize > bytesMax,
  );
  return isTooMuch ? "has more text than is read" : undefined;
}

function faultOfEntry(entry: Entry): string | undefined {
  const { fileName: name, compressedSize, uncompressedSize, compressionMethod } = entry;
  // yauzl has rejected `..`, absolute names and backslashes before.
  const segments = name.replace(/\/$/, "").split("/");
  if (name.includes("\0") || segments.some((part) => part === "" || part === "."))
    return "has an entry with an unsafe name";
  if (entry.generalPurposeBitFlag & ENCRYPTED_FLAGS) return "has an encrypted entry";
  if (!PLAIN_TYPES.has((entry.externalFileAttributes >>> 16) & FILE_TYPE_BITS))
    return "has an entry that is no plain file";
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED)
    return "has an entry of an unknown compression";
  if (uncompressedSize > compressedSize * ARCHIVE_RATIO_MAX) return "unpacks to too much";
  return undefined;
}

/** Entries follow each other from the first byte on, and their own headers agree with the directory. */
async function findLayoutFault(
  archive: ZipFile,
  inOrder: readonly Entry[],
): Promise<string | undefined> {
  if (inOrder[0]?.relativeOffsetOfLocalHeader !== 0) return "has something before its first entry";
  let end = 0;
  for (const entry of inOrder) {
    if (entry.relativeOffsetOfLocalHeader < end) return "has entries that overlap";
    const header = await archive.readLocalFileHeaderPromise(entry);
    if (!agrees(header, entry)) return "has an entry that contradicts the directory";
    end = header.fileDataStart + entry.compressedSize;
  }
  return undefined;
}

function agrees(header: LocalFileHeader, entry: Entry): boolean {
  const sizesFollow = (header.generalPurposeBitFlag & SIZES_FOLLOW_FLAG) !== 0;
  return (
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === entry.compressionMethod &&
    (sizesFollow ||
      (header.compressedSize === entry.compressedSize &&
        header.uncompressedSize === entry.uncompressedSize))
  );
}

/** @throws if the unpacked size differs from the directory; stops at the first excess byte. */
async function unpackIntoNothing(
  archive: ZipFile,
  entry: Entry,
  signal: AbortSignal | undefined,
): Promise<void> {
  const stream = await archive.openReadStreamPromise(entry);
  for await (const _ of stream) signal?.throwIfAborted();
}
