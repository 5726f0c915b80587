import { extensionOf } from "../text/kind.ts";

/** A format whose text a document thread extracts. */
export type DocumentKind = "pdf" | "docx";

const SIGNATURES: Readonly<Record<DocumentKind, string>> = { pdf: "%PDF-", docx: "PK\x03\x04" };

/** The format that a path names, if it is one. */
export function documentKindOf(path: string): DocumentKind | undefined {
  const extension = extensionOf(path);
  return extension === "pdf" || extension === "docx" ? extension : undefined;
}

/** Whether the bytes begin with the format's signature. */
export function isDocument(kind: DocumentKind, bytes: Uint8Array): boolean {
  const signature = SIGNATURES[kind];
  return Buffer.from(bytes.subarray(0, signature.length)).toString("latin1") === signature;
}
