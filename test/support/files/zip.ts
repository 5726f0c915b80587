import { crc32, deflateRawSync } from "node:zlib";

/** One entry as it is written, honest unless told otherwise. */
export interface ZipEntry {
  name: string | Uint8Array;
  content?: Uint8Array | string;
  /** 8 deflated (default), 0 stored; any other is written as it is. */
  method?: number;
  flags?: number;
  /** Unix mode in the upper half of the external attributes. */
  mode?: number;
  /** What the directory says instead of the truth. */
  says?: { packed?: number; unpacked?: number; offset?: number; name?: string };
  /** What the local header says instead of the truth. */
  localSays?: { packed?: number; unpacked?: number; name?: string; method?: number };
  /** Extra field of the directory entry. */
  extra?: Uint8Array;
}

export interface ZipOptions {
  /** What the end record says instead of the truth. */
  says?: { count?: number; directoryBytes?: number; directoryOffset?: number };
  /** Stands before the first entry. */
  prefix?: Uint8Array;
  /** Whether offsets count the prefix, as in a repaired self-extracting archive. */
  prefixCounted?: boolean;
  comment?: string;
  /** Written between directory and end record. */
  beforeEnd?: Uint8Array;
}

/** A ZIP archive made byte by byte, so that it can be wrong in any way. */
export function createZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const { says = {}, prefix = new Uint8Array(), comment = "" } = options;
  const parts: Uint8Array[] = [prefix];
  const directory: Uint8Array[] = [];
  let offset = options.prefixCounted === false ? 0 : prefix.length;
  for (const entry of entries) {
    const written = writeEntry(entry, offset);
    parts.push(...written.local);
    directory.push(written.directory);
    offset += written.local.reduce((sum, part) => sum + part.length, 0);
  }
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE((says.count ?? entries.length) & 0xffff, 8);
  end.writeUInt16LE((says.count ?? entries.length) & 0xffff, 10);
  end.writeUInt32LE(says.directoryBytes ?? directoryBytes, 12);
  end.writeUInt32LE(says.directoryOffset ?? offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const beforeEnd = options.beforeEnd ?? new Uint8Array();
  return Buffer.concat([...parts, ...directory, beforeEnd, end, Buffer.from(comment, "latin1")]);
}

function writeEntry(entry: ZipEntry, offset: number) {
  const { method = 8, flags = 0x800, says = {}, localSays = {} } = entry;
  const name = Buffer.from(entry.name as string);
  const content = Buffer.from((entry.content ?? "") as string);
  const packed = method === 8 ? deflateRawSync(content) : content;
  const extra = entry.extra ?? new Uint8Array();

  const localName = localSays.name === undefined ? name : Buffer.from(localSays.name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(localSays.method ?? method, 8);
  local.writeUInt32LE(crc32(content), 14);
  local.writeUInt32LE(localSays.packed ?? says.packed ?? packed.length, 18);
  local.writeUInt32LE(localSays.unpacked ?? says.unpacked ?? content.length, 22);
  local.writeUInt16LE(localName.length, 26);

  const saidName = says.name === undefined ? name : Buffer.from(says.name);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE((3 << 8) | 20, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(crc32(content), 16);
  central.writeUInt32LE(says.packed ?? packed.length, 20);
  central.writeUInt32LE(says.unpacked ?? content.length, 24);
  central.writeUInt16LE(saidName.length, 28);
  central.writeUInt16LE(extra.length, 30);
  central.writeUInt32LE(((entry.mode ?? 0o100644) * 0x10000) >>> 0, 38);
  central.writeUInt32LE(says.offset ?? offset, 42);
  return {
    local: [local, localName, packed],
    directory: Buffer.concat([central, saidName, extra]),
  };
}

/** The entries without which no DOCX is one. */
export const DOCX_ENTRIES: readonly ZipEntry[] = [
  { name: "[Content_Types].xml", content: "<Types/>" },
  { name: "_rels/.rels", content: "<Relationships/>" },
  { name: "word/document.xml", content: "<w:document/>" },
];

/** A DOCX with further entries, wrong in any way asked for. */
export function createDocx(entries: readonly ZipEntry[] = [], options: ZipOptions = {}): Buffer {
  return createZip([...DOCX_ENTRIES, ...entries], options);
}
