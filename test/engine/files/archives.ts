import { open } from "node:fs/promises";
import { DOCX_PARTS, findArchiveFault } from "../../../engine/files/archive.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { DOCX_ENTRIES, type ZipEntry } from "../../support/files/documents.ts";

/** What the engine has against these bytes as a DOCX; undefined where nothing. */
export async function faultOf(bytes: Uint8Array): Promise<string | undefined> {
  await using folder = await createTestFolder({ "a.docx": bytes });
  await using handle = await open(folder.at("a.docx"));
  return await findArchiveFault({ descriptor: handle.fd }, DOCX_PARTS);
}

/** What packs to next to nothing. */
export function zeros(count: number): Uint8Array {
  return new Uint8Array(count);
}

/** Incompressible, and the same every time. */
export function noise(count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  let state = 1;
  for (let at = 0; at < count; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

/** A DOCX of this many entries, nearly all of them empty. */
export function manyEntries(count: number): ZipEntry[] {
  const more = Array.from({ length: count - DOCX_ENTRIES.length }, (_, at) => ({
    name: `${at}`,
    method: 0,
  }));
  return [...DOCX_ENTRIES, ...more];
}

/** A copy whose end record says this count; an archive without a comment. */
export function sayingCount(archive: Uint8Array, count: number): Uint8Array {
  const copy = Buffer.from(archive);
  for (const at of [8, 10]) copy.writeUInt16LE(count, copy.length - 22 + at);
  return copy;
}

/** The extra field with sizes that do not fit 32 bits. */
export function zip64Extra(...values: number[]): Uint8Array {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  for (const [at, value] of values.entries()) extra.writeBigUInt64LE(BigInt(value), 4 + at * 8);
  return extra;
}

/** A ZIP64 end record and its locator, saying that the directory is there. */
export function zip64End(
  count: number,
  directoryBytes: number,
  directoryOffset: number,
): Uint8Array {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(directoryBytes), 40);
  record.writeBigUInt64LE(BigInt(directoryOffset), 48);
  record.writeUInt32LE(0x07064b50, 56);
  record.writeBigUInt64LE(BigInt(directoryOffset + directoryBytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
