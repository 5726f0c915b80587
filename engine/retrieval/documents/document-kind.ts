import { TEXT_FILE_BYTES_MAX } from "../../files/limits.ts";
import { DOCUMENT_BYTES_MAX } from "../limits.ts";
import { encodingOf } from "../text/decode.ts";
import { extensionOf } from "../text/kind.ts";

// The formats, by their usual extension.
const KINDS = ["pdf", "docx", "html", "pptx", "xlsx", "odt", "epub", "rtf"] as const;

/** A format whose text a document thread extracts. */
export type DocumentKind = (typeof KINDS)[number];

/** The first bytes of a compound file: an encrypted office document, or one of an older format. */
export const COMPOUND_FILE = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const ARCHIVE = "PK\x03\x04";
const SNIFF_BYTES = 8_192;

const SIGNATURES: Readonly<Record<Exclude<DocumentKind, "html">, readonly string[]>> = {
  pdf: ["%PDF-"],
  docx: [ARCHIVE, COMPOUND_FILE],
  pptx: [ARCHIVE, COMPOUND_FILE],
  xlsx: [ARCHIVE, COMPOUND_FILE],
  odt: [ARCHIVE],
  epub: [ARCHIVE],
  rtf: ["{\\rtf"],
};

/** The format that a path names, if it is one. */
export function documentKindOf(path: string): DocumentKind | undefined {
  const extension = extensionOf(path);
  if (extension === "htm" || extension === "xhtml") return "html";
  return KINDS.find((kind) => kind === extension);
}

/** Whether the bytes begin with a signature of the format. A web page has none: it is whatever is not binary. */
export function isDocument(kind: DocumentKind, bytes: Uint8Array): boolean {
  if (kind === "html") {
    return encodingOf(bytes) !== "utf-8" || !bytes.subarray(0, SNIFF_BYTES).includes(0);
  }
  return SIGNATURES[kind].some((signature) => beginsWith(bytes, signature));
}

/** The largest file of the format that is read. A web page is a text file. */
export function documentBytesMax(kind: DocumentKind): number {
  return kind === "html" ? TEXT_FILE_BYTES_MAX : DOCUMENT_BYTES_MAX;
}

/** Whether bytes begin with those of a Latin-1 text. */
export function beginsWith(bytes: Uint8Array, signature: string): boolean {
  return Buffer.from(bytes.subarray(0, signature.length)).toString("latin1") === signature;
}
