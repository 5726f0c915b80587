import { deflateSync } from "node:zlib";
import { MIB } from "../../../shared/units.ts";
import { createZip } from "./documents.ts";

/** A PDF of the given objects; the first one is the catalog. */
function createPdf(objects: readonly (string | PdfStream)[]): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, at) => {
    offsets.push(length);
    add(Buffer.from(`${at + 1} 0 obj\n`));
    if (typeof object === "string") add(Buffer.from(object));
    else {
      add(Buffer.from(`<< ${object.keys} /Length ${object.bytes.length} >>\nstream\n`));
      add(object.bytes);
      add(Buffer.from("\nendstream"));
    }
    add(Buffer.from("\nendobj\n"));
  });
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}`));
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

interface PdfStream {
  keys: string;
  bytes: Buffer;
}

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";

/** A PDF whose pages all show the same content stream. */
export function pdfOf(content: PdfStream, pages = 1, resources = ""): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${5 + at} 0 R`).join(" ");
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> ${resources} >> >>`;
  return createPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
    FONT,
    content,
    ...Array.from({ length: pages }, () => page),
  ]);
}

/** A PDF with one line of text. */
export function healthyPdf(text: string): Buffer {
  return pdfOf({ keys: "", bytes: Buffer.from(`BT /F 12 Tf 50 700 Td (${text}) Tj ET`) });
}

/** Compressed bytes that unpack to `times` repetitions of a piece; they are made without unpacking them. */
function deflateRepeated(piece: Buffer, times: number): Buffer {
  // Zlib's head (two bytes), then blocks that end with a full flush and so depend on nothing before them.
  const whole = deflateSync(piece, { finishFlush: 3 });
  const blocks = whole.subarray(2);
  const parts = Array.from({ length: times }, () => blocks);
  return Buffer.concat([whole.subarray(0, 2), ...parts, Buffer.from([3, 0, 0, 0, 0, 0])]);
}

/** Forms that show forms: `uses` to the power of `levels` executions in a few thousand bytes. */
export function nestedForms(levels = 12, uses = 12): Buffer {
  const first = 6;
  const forms = Array.from({ length: levels }, (_, at): PdfStream => {
    const isLast = at === levels - 1;
    const body = isLast ? "BT /F 1 Tf (a) Tj ET" : "/X Do ".repeat(uses);
    const next = isLast ? "/Font << /F 3 0 R >>" : `/XObject << /X ${first + at + 1} 0 R >>`;
    const keys = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << ${next} >>`;
    return { keys, bytes: Buffer.from(body) };
  });
  return createPdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [5 0 R] /Count 1 >>",
    FONT,
    { keys: "", bytes: Buffer.from("/X Do ".repeat(uses)) },
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /X ${first} 0 R >> >> >>`,
    ...forms,
  ]);
}

const FLATE = "/Filter /FlateDecode";

/** 400 MB of text operators in some 600 kB. */
export function endlessText(): Buffer {
  const piece = Buffer.from(`BT /F 1 Tf ${"(a)Tj ".repeat((4 * MIB) / 6)}ET `);
  return pdfOf({ keys: FLATE, bytes: deflateRepeated(piece, 100) });
}

/** 8 GB of blanks, compressed twice. */
export function blanksTwice(): Buffer {
  const once = deflateRepeated(Buffer.alloc(16 * MIB, 32), 512);
  return pdfOf({ keys: "/Filter [/FlateDecode /FlateDecode]", bytes: deflateSync(once) });
}

/** 500 pages that share one content of many operators without text. */
export function heavyPages(): Buffer {
  const piece = Buffer.from("q 1 0 0 1 0 0 cm Q ".repeat(MIB / 19));
  return pdfOf({ keys: FLATE, bytes: deflateRepeated(piece, 16) }, 500);
}

/** A DOCX whose text has this many bytes, nearly all of them empty paragraphs. It passes every rule for archives. */
export function docxOfParagraphs(bytes: number): Buffer {
  const parts: string[] = [];
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const part = `<w:p w:n="${at}"/>`;
    parts.push(part);
    length += part.length;
  }
  return docxOf(parts.join(""));
}

/** A DOCX with these paragraphs. */
export function docxOf(paragraphs: string): Buffer {
  const space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  return createZip([
    {
      name: "[Content_Types].xml",
      content:
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${type}" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: "word/document.xml",
      content: `<w:document ${space}><w:body>${paragraphs}</w:body></w:document>`,
    },
  ]);
}

/** Lines of a file that once took a regular expression a time far beyond their length, each of about this many characters. */
export const worstLines: Readonly<Record<string, (length: number) => string>> = {
  "a heading of blanks that ends in a line separator": (length) =>
    `# a${" ".repeat(length)}\u2028y\n`,
  "a heading of hash signs": (length) => `# a${"# ".repeat(length / 2)}x\n`,
  "beginnings of tokens": (length) => "-eyJaaaaaaaaaaa".repeat(length / 15),
  "tokens without an end": (length) => ".eyJaaaaaaaaaaaa".repeat(length / 16),
  "beginnings of keys": (length) => "-----BEGIN PRIVATE KEY-----".repeat(length / 27),
  "beginnings of keys with something between": (length) =>
    "-----BEGIN PRIVATE KEY-----{".repeat(length / 28),
  "words of a key's label": (length) => `-----BEGIN ${"A ".repeat(length / 2)}`,
  "a title of blanks": (length) => `---\ntitle: a${" ".repeat(length)}\u2028y\n---\n`,
  "a rule that breaks off": (length) => `${"- ".repeat(length / 2)}x\n`,
  "ends of sentences and blanks": (length) =>
    `${". ".repeat(length / 4)}${" ".repeat(length / 2)}x\n`,
  "line breaks alone": (length) => `x${"\n".repeat(length)}`,
  "a declaration that never comes": (length) => `${"export ".repeat(length / 7)}\n`,
  "a parenthesis that stays open": (length) => `${"pub(".repeat(length / 4)}\n`,
};
