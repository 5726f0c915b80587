import {
  PREVIEW_DOCX_BYTES_MAX,
  PREVIEW_IMAGE_BYTES_MAX,
  PREVIEW_PDF_BYTES_MAX,
} from "./limits.ts";

type PreviewKind = "image" | "pdf" | "docx";

/** A type of file that can be previewed. */
export interface PreviewType {
  kind: PreviewKind;
  contentType: string;
  sizeBytesMax: number;
  /** Whether a file of this type can begin with these bytes. */
  matches(start: Uint8Array): boolean;
}

/** The bytes that `matches` needs. */
export const SIGNATURE_BYTES = 16;

const PNG = image("image/png", bytes(0x89, "PNG\r\n", 0x1a, "\n"));
const JPEG = image("image/jpeg", bytes(0xff, 0xd8, 0xff));

// Without SVG and HTML, which run scripts.
const TYPES: Readonly<Record<string, PreviewType>> = {
  ".png": PNG,
  ".jpg": JPEG,
  ".jpeg": JPEG,
  ".gif": image("image/gif", bytes("GIF87a"), bytes("GIF89a")),
  ".webp": image("image/webp", bytes("RIFF", -1, -1, -1, -1, "WEBP")),
  ".bmp": image("image/bmp", bytes("BM")),
  ".pdf": {
    kind: "pdf",
    contentType: "application/pdf",
    sizeBytesMax: PREVIEW_PDF_BYTES_MAX,
    matches: startsWithAny([bytes("%PDF-")]),
  },
  ".docx": {
    kind: "docx",
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    sizeBytesMax: PREVIEW_DOCX_BYTES_MAX,
    // A ZIP archive that begins with its first entry; `archive.ts` checks the rest.
    matches: startsWithAny([bytes("PK", 3, 4)]),
  },
};

/** The type by the extension, ignoring case; undefined if it has no preview. */
export function findPreviewType(name: string): PreviewType | undefined {
  const extension = name.slice(Math.max(name.lastIndexOf("."), 0)).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

function image(contentType: string, ...signatures: number[][]): PreviewType {
  return {
    kind: "image",
    contentType,
    sizeBytesMax: PREVIEW_IMAGE_BYTES_MAX,
    matches: startsWithAny(signatures),
  };
}

/** Byte values; -1 stands for any. */
function bytes(...parts: (number | string)[]): number[] {
  return parts.flatMap((part) =>
    typeof part === "number" ? part : [...Buffer.from(part, "latin1")],
  );
}

function startsWithAny(signatures: number[][]): (start: Uint8Array) => boolean {
  return (start) =>
    signatures.some((signature) =>
      signature.every((byte, at) => at < start.length && (byte === -1 || start[at] === byte)),
    );
}
