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

// The same large bytes go into several archives, and how small they become matters in none.
const deflated = new WeakMap<Uint8Array, Buffer>();

function deflate(bytes: Uint8Array): Buffer {
  const known = deflated.get(bytes) ?? deflateRawSync(bytes, { level: 1 });
  deflated.set(bytes, known);
  return known;
}

function writeEntry(entry: ZipEntry, offset: number) {
  const { method = 8, flags = 0x800, says = {}, localSays = {} } = entry;
  const name = Buffer.from(entry.name as string);
  const { content = "" } = entry;
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const sum = crc32(bytes);
  const packed = method === 8 ? deflate(bytes) : bytes;
  const extra = entry.extra ?? new Uint8Array();

  const localName = localSays.name === undefined ? name : Buffer.from(localSays.name);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(flags, 6);
  local.writeUInt16LE(localSays.method ?? method, 8);
  local.writeUInt32LE(sum, 14);
  local.writeUInt32LE(localSays.packed ?? says.packed ?? packed.length, 18);
  local.writeUInt32LE(localSays.unpacked ?? says.unpacked ?? bytes.length, 22);
  local.writeUInt16LE(localName.length, 26);

  const saidName = says.name === undefined ? name : Buffer.from(says.name);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE((3 << 8) | 20, 4);
  central.writeUInt16LE(20, 6);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(sum, 16);
  central.writeUInt32LE(says.packed ?? packed.length, 20);
  central.writeUInt32LE(says.unpacked ?? bytes.length, 24);
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

const RELATIONSHIP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPES: ZipEntry = { name: "[Content_Types].xml", content: "<Types/>" };

/** A relationship as a part lists it; `mode` is `External` for one that leads out of the archive. */
export interface Related {
  id: string;
  type: string;
  target: string;
  mode?: string;
}

/** The list of a part's relationships, as an entry of its archive. */
export function relationshipsOf(part: string, related: readonly Related[]): ZipEntry {
  const slash = part.lastIndexOf("/") + 1;
  const rows = related.map(
    ({ id, type, target, mode }) =>
      `<Relationship Id="${id}" Type="${RELATIONSHIP}/${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ""}/>`,
  );
  return {
    name: `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`,
    content: `<Relationships>${rows.join("")}</Relationships>`,
  };
}

/** The part with a document's own title. */
export function coreTitle(title: string): ZipEntry {
  return {
    name: "docProps/core.xml",
    content: `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`,
  };
}

/** A workbook: the XML below `sheetData` of each sheet, by its name. */
export function xlsxOf(
  sheets: Readonly<Record<string, string>>,
  {
    shared = "",
    styles = "",
    more = [],
  }: { shared?: string; styles?: string; more?: ZipEntry[] } = {},
): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`);
  const related = names.map((_, at) => ({
    id: `r${at}`,
    type: "worksheet",
    target: `worksheets/sheet${at}.xml`,
  }));
  const book = "xl/workbook.xml";
  return createZip([
    TYPES,
    relationshipsOf("", [{ id: "r1", type: "officeDocument", target: book }]),
    { name: book, content: `<workbook><sheets>${list.join("")}</sheets></workbook>` },
    relationshipsOf(book, [
      ...related,
      { id: "s", type: "sharedStrings", target: "sharedStrings.xml" },
      { id: "t", type: "styles", target: "/xl/styles.xml" },
    ]),
    { name: "xl/sharedStrings.xml", content: `<sst>${shared}</sst>` },
    { name: "xl/styles.xml", content: `<styleSheet>${styles}</styleSheet>` },
    ...Object.values(sheets).map((rows, at) => ({
      name: `xl/worksheets/sheet${at}.xml`,
      content: `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...more,
  ]);
}

/** A presentation: the XML of the shapes of each slide. */
export function pptxOf(slides: readonly string[], more: readonly ZipEntry[] = []): Buffer {
  const main = "ppt/presentation.xml";
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`);
  return createZip([
    TYPES,
    relationshipsOf("", [{ id: "r1", type: "officeDocument", target: main }]),
    {
      name: main,
      content: `<p:presentation><p:sldIdLst>${ids.join("")}</p:sldIdLst></p:presentation>`,
    },
    relationshipsOf(
      main,
      slides.map((_, at) => ({ id: `r${at}`, type: "slide", target: `slides/slide${at}.xml` })),
    ),
    ...slides.map((shapes, at) => ({
      name: `ppt/slides/slide${at}.xml`,
      content: `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`,
    })),
    ...more,
  ]);
}

/** A shape of a slide, with a paragraph for each text. */
export function shapeOf(placeholder: string, ...texts: string[]): string {
  const paragraphs = texts.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join("");
  return `<p:sp><p:nvPr><p:ph type="${placeholder}"/></p:nvPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

/** An OpenDocument text with this body. */
export function odtOf(
  body: string,
  { title = "", manifest = "", more = [] as ZipEntry[] } = {},
): Buffer {
  return createZip([
    { name: "mimetype", content: "application/vnd.oasis.opendocument.text", method: 0 },
    {
      name: "META-INF/manifest.xml",
      content: `<manifest:manifest>${manifest}</manifest:manifest>`,
    },
    {
      name: "content.xml",
      content: `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    },
    {
      name: "meta.xml",
      content: `<office:document-meta><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    },
    ...more,
  ]);
}

/** A book with these chapters: the body of each. */
export function epubOf(
  chapters: readonly string[],
  { title = "", more = [] as ZipEntry[] } = {},
): Buffer {
  const items = chapters.map((_, at) => `<item id="c${at}" href="text/c%20${at}.xhtml"/>`);
  const spine = chapters.map((_, at) => `<itemref idref="c${at}"/>`);
  return createZip([
    { name: "mimetype", content: "application/epub+zip", method: 0 },
    {
      name: "META-INF/container.xml",
      content:
        '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
    },
    {
      name: "OEBPS/book.opf",
      content: `<package><metadata><dc:title>${title}</dc:title></metadata><manifest>${items.join("")}</manifest><spine>${spine.join("")}</spine></package>`,
    },
    ...chapters.map((body, at) => ({
      name: `OEBPS/text/c ${at}.xhtml`,
      content: `<?xml version="1.0"?><html><head><title/></head><body>${body}</body></html>`,
    })),
    ...more,
  ]);
}

/** An RTF with this behind its head. */
export function rtfOf(body: string): Buffer {
  const fonts =
    "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 Mincho;}}";
  return Buffer.from(`{\\rtf1\\ansi\\ansicpg1252\\deff0${fonts}${body}}`, "latin1");
}
