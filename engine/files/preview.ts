import type { FileHandle } from "node:fs/promises";
import { onAbort } from "../../shared/on-abort.ts";
import { invalid } from "../errors.ts";
import { DOCX_PARTS, findArchiveFault } from "./archive.ts";
import {
  PREVIEW_CHUNK_BYTES,
  PREVIEW_DOCX_BYTES_MAX,
  PREVIEW_IMAGE_BYTES_MAX,
  PREVIEW_PDF_BYTES_MAX,
} from "./limits.ts";
import { parseRelativePath } from "./relative-path.ts";
import { type FileRoot, type OpenFile, openWithin } from "./within.ts";

/** A type of file that can be previewed. */
interface PreviewType {
  kind: "image" | "pdf" | "docx";
  contentType: string;
  sizeBytesMax: number;
  /** The first bytes of such a file, as a Latin-1 text. */
  signature: RegExp;
}

// The bytes that the signatures need.
const SIGNATURE_BYTES = 16;
const PNG = image("image/png", /^\x89PNG\r\n\x1a\n/);
const JPEG = image("image/jpeg", /^\xff\xd8\xff/);

// Without SVG and HTML, which run scripts.
const TYPES: Readonly<Record<string, PreviewType>> = {
  ".png": PNG,
  ".jpg": JPEG,
  ".jpeg": JPEG,
  ".gif": image("image/gif", /^GIF8[79]a/),
  ".webp": image("image/webp", /^RIFF.{4}WEBP/s),
  ".bmp": image("image/bmp", /^BM/),
  ".pdf": {
    kind: "pdf",
    contentType: "application/pdf",
    sizeBytesMax: PREVIEW_PDF_BYTES_MAX,
    signature: /^%PDF-/,
  },
  ".docx": {
    kind: "docx",
    contentType: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    sizeBytesMax: PREVIEW_DOCX_BYTES_MAX,
    // A ZIP archive that begins with its first entry; `archive.ts` checks the rest.
    signature: /^PK\x03\x04/,
  },
};

function image(contentType: string, signature: RegExp): PreviewType {
  return { kind: "image", contentType, sizeBytesMax: PREVIEW_IMAGE_BYTES_MAX, signature };
}

/** A file that a client may show unchanged. */
export interface Preview {
  headers: Record<string, string>;
  /** Read while it is sent. Reading to the end or cancelling closes the file. */
  body: ReadableStream<Uint8Array>;
}

/**
 * The bytes of an image, PDF or DOCX whose content matches its extension.
 * @throws EngineError `invalid` for other types, wrong signatures, unsafe archives and files over the limit of their
 * kind; `forbidden`, `not_found`.
 */
export async function startPreview(
  root: FileRoot,
  path: string,
  signal?: AbortSignal,
): Promise<Preview> {
  const type = findPreviewType(parseRelativePath(path).at(-1) ?? "");
  if (!type) throw invalid("Only images, PDF and DOCX files have a preview.");
  const file = await openWithin(root, path);
  try {
    await checkContent(file, type, signal);
  } catch (error) {
    await file.handle.close();
    throw error;
  }
  return {
    headers: headersOf(type, file.sizeBytes),
    body: streamOf(file.handle, file.sizeBytes, signal),
  };
}

/** The type by the extension, ignoring case; undefined if it has no preview. */
function findPreviewType(name: string): PreviewType | undefined {
  const extension = name.slice(Math.max(name.lastIndexOf("."), 0)).toLowerCase();
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

function headersOf(type: PreviewType, sizeBytes: number): Record<string, string> {
  return {
    "Content-Type": type.contentType,
    "Content-Disposition": "inline",
    "Content-Length": String(sizeBytes),
    "Cache-Control": "no-store, private",
    "X-Content-Type-Options": "nosniff",
    "X-Preview-Kind": type.kind,
    "Content-Security-Policy": "sandbox; default-src 'none'",
  };
}

async function checkContent(
  file: OpenFile,
  type: PreviewType,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (file.sizeBytes > type.sizeBytesMax) {
    const limitMib = type.sizeBytesMax / 1024 / 1024;
    throw invalid(`The file is larger than ${limitMib} MiB, the limit of its preview.`);
  }
  const start = Buffer.alloc(Math.min(SIGNATURE_BYTES, file.sizeBytes));
  const { bytesRead } = await file.handle.read(start, 0, start.length, 0);
  if (!type.signature.test(start.toString("latin1", 0, bytesRead))) {
    throw invalid("The file's content does not match its extension.");
  }
  if (type.kind !== "docx") return;
  const fault = await findArchiveFault({ descriptor: file.handle.fd }, DOCX_PARTS, signal);
  if (fault !== undefined) throw invalid(`The document is not safe to open: it ${fault}.`);
}

/** Exactly as many bytes as announced, in pieces. The file is closed at the end, or when the reader cancels. */
function streamOf(
  handle: FileHandle,
  sizeBytes: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  let position = 0;
  const close = () => handle.close();
  // Before the first read only the signal cancels the stream; afterwards its reader does.
  const abandon = () => void close().catch(() => {});
  const removeListener = signal && onAbort(signal, abandon);
  return new ReadableStream(
    {
      async pull(controller) {
        removeListener?.();
        try {
          const chunk = await readChunk(handle, position, sizeBytes);
          position += chunk.length;
          controller.enqueue(chunk);
          if (position < sizeBytes) return;
          await close();
          controller.close();
        } catch (error) {
          await close().catch(() => {});
          throw error;
        }
      },
      cancel() {
        removeListener?.();
        return close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function readChunk(
  handle: FileHandle,
  position: number,
  sizeBytes: number,
): Promise<Uint8Array> {
  const chunk = new Uint8Array(Math.min(PREVIEW_CHUNK_BYTES, sizeBytes - position));
  const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
  if (bytesRead === 0) throw new Error("The file became shorter while it was sent.");
  return chunk.subarray(0, bytesRead);
}
