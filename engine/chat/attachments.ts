import type { ModelAttachment } from "../models/language-model.ts";
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_BYTES_MAX } from "./limits.ts";
import mediaTypes from "./media-types.json" with { type: "json" };

/** The part of zod's refinement context that a check needs. */
export interface Issues {
  addIssue(issue: { code: "custom"; path?: PropertyKey[]; message: string; input?: unknown }): void;
}

// Exact and case-sensitive (Engine §4, file context rule 5).
const MEDIA_TYPES_AS_BYTES: ReadonlySet<string> = new Set(mediaTypes.asBytes);

/** Whether a model receives the bytes of this type. Of any other type it receives the metadata alone. */
export function reachesModelAsBytes({ mediaType }: Pick<ModelAttachment, "mediaType">): boolean {
  return MEDIA_TYPES_AS_BYTES.has(mediaType);
}

/** A filename on every platform: no separator, no control character, neither `.` nor `..`. */
export function isPlainFilename(name: string): boolean {
  return name.trim() !== "" && name !== "." && name !== ".." && !/[/\\\x00-\x1f\x7f]/.test(name);
}

interface AttachmentInput {
  name: string;
  media_type?: string | undefined;
  data: string;
}

const UNKNOWN_TYPE = "application/octet-stream";

// Text types alone: a client knows the type of any other file from its bytes.
const TYPES_OF_TEXTS: Readonly<Record<string, string>> = mediaTypes.ofTextsByExtension;

/** An empty type is unknown (Engine §4, file context rule 3). An omitted one is inferred from a text file's extension. */
function mediaTypeOf({ name, media_type }: AttachmentInput): string {
  if (media_type !== undefined) return media_type || UNKNOWN_TYPE;
  const extension = name.slice(name.lastIndexOf(".") + 1).toLowerCase();
  const isKnown = name.includes(".") && Object.hasOwn(TYPES_OF_TEXTS, extension);
  return (isKnown && TYPES_OF_TEXTS[extension]) || UNKNOWN_TYPE;
}

/** Decodes strictly (RFC 4648 §3): no foreign character, no missing padding, no stray bits. */
export function decodeAttachment(input: AttachmentInput, issues: Issues): ModelAttachment {
  const { name, data } = input;
  const attachment = { name, mediaType: mediaTypeOf(input) };
  // Checked before decoding: four characters encode three bytes, at most two of them padding.
  if ((data.length / 4) * 3 - 2 > ATTACHMENT_BYTES_MAX) return tooLarge(attachment, issues);
  const bytes = Buffer.from(data, "base64");
  if (bytes.toString("base64") !== data) {
    issues.addIssue({ code: "custom", path: ["data"], message: "must be valid base64" });
  }
  if (bytes.length > ATTACHMENT_BYTES_MAX) return tooLarge(attachment, issues);
  return { ...attachment, bytes };
}

function tooLarge(attachment: Omit<ModelAttachment, "bytes">, issues: Issues): ModelAttachment {
  issues.addIssue({ code: "custom", path: ["data"], message: "must hold at most 2 MiB" });
  return { ...attachment, bytes: new Uint8Array() };
}

/** All attachments of a turn together (Engine §8). */
export function checkSizes(attachments: readonly ModelAttachment[], issues: Issues): void {
  const size = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size <= ATTACHMENTS_BYTES_MAX) return;
  const message = "must hold at most 8 MiB together";
  issues.addIssue({ code: "custom", path: ["attachments"], message });
}
