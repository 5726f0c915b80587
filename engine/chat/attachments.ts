import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_BYTES_MAX } from "../limits.ts";

/** A decoded attachment of one turn. It is never stored. */
export interface Attachment {
  name: string;
  mediaType: string;
  bytes: Uint8Array;
}

/** Where a check reports: zod's refinement context, as far as it is needed here. */
export interface Issues {
  addIssue(issue: { code: "custom"; path?: PropertyKey[]; message: string; input?: unknown }): void;
}

// Exact and case-sensitive (Engine §4, file context rule 5).
const MEDIA_TYPES_AS_BYTES: ReadonlySet<string> = new Set([
  "application/pdf",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "text/plain",
  "text/csv",
  "text/html",
  "text/markdown",
  "image/jpeg",
  "image/png",
  "image/gif",
  "image/webp",
  "audio/wav",
  "audio/mpeg",
  "audio/ogg",
  "audio/flac",
  "audio/aiff",
  "audio/aac",
]);

/** Whether the bytes of this type go to a model; of all others it sees the metadata alone. */
export function reachesModelAsBytes({ mediaType }: Attachment): boolean {
  return MEDIA_TYPES_AS_BYTES.has(mediaType);
}

/** One path segment that names a file on every platform's terms: no separator, no control character, no dots alone. */
export function isPlainFilename(name: string): boolean {
  return name.trim() !== "" && name !== "." && name !== ".." && !/[/\\\x00-\x1f\x7f]/.test(name);
}

interface AttachmentInput {
  name: string;
  media_type?: string | undefined;
  data: string;
}

const UNKNOWN_TYPE = "application/octet-stream";

// Only texts: the bytes of every other kind say themselves what they are, and a client knows it.
const TYPES_OF_TEXTS: Readonly<Record<string, string>> = {
  txt: "text/plain",
  text: "text/plain",
  log: "text/plain",
  md: "text/markdown",
  markdown: "text/markdown",
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
};

/** An empty type is unknown (Engine §4, file context rule 3). One that was left out follows from the name of a text. */
function mediaTypeOf({ name, media_type }: AttachmentInput): string {
  if (media_type !== undefined) return media_type || UNKNOWN_TYPE;
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const isKnown = name.includes(".") && Object.hasOwn(TYPES_OF_TEXTS, extension);
  return (isKnown && TYPES_OF_TEXTS[extension]) || UNKNOWN_TYPE;
}

/** Decodes strictly (RFC 4648 §3): no foreign character, no missing padding, no stray bits. */
export function decodeAttachment(input: AttachmentInput, issues: Issues): Attachment {
  const { name, data } = input;
  const attachment = { name, mediaType: mediaTypeOf(input) };
  // Looked at before anything is decoded: four characters hold three bytes, and padding takes back two at most.
  if ((data.length / 4) * 3 - 2 > ATTACHMENT_BYTES_MAX) return tooLarge(attachment, issues);
  const bytes = Buffer.from(data, "base64");
  if (bytes.toString("base64") !== data) {
    issues.addIssue({ code: "custom", path: ["data"], message: "must be valid base64" });
  }
  if (bytes.length > ATTACHMENT_BYTES_MAX) return tooLarge(attachment, issues);
  return { ...attachment, bytes };
}

function tooLarge(attachment: Omit<Attachment, "bytes">, issues: Issues): Attachment {
  issues.addIssue({ code: "custom", path: ["data"], message: "must hold at most 2 MiB" });
  return { ...attachment, bytes: new Uint8Array() };
}

/** All attachments of a turn together (Engine §8). */
export function checkSizes(attachments: readonly Attachment[], issues: Issues): void {
  const size = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size <= ATTACHMENTS_BYTES_MAX) return;
  const message = "must hold at most 8 MiB together";
  issues.addIssue({ code: "custom", path: ["attachments"], message });
}
