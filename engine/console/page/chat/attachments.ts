import { toBase64 } from "../../../../shared/bytes.ts";
import { ATTACHMENT_BYTES_MAX, ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX } from "./limits.ts";

/** Why files cannot go with a message, in a sentence; undefined if they can. */
export function faultOf(files: readonly Pick<File, "name" | "size">[]): string | undefined {
  if (files.length > ATTACHMENTS_MAX) return `A message can have at most ${ATTACHMENTS_MAX} files.`;
  const large = files.find(({ size }) => size > ATTACHMENT_BYTES_MAX);
  if (large) return `${large.name} is larger than 2 MiB.`;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  return total > ATTACHMENTS_BYTES_MAX ? "Together, the files are larger than 8 MiB." : undefined;
}

/** The bytes of a file in base64. @throws if the browser cannot read it any more. */
export async function toSentFile(file: File) {
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error(`${file.name} cannot be read.`);
  });
  // Without a type the engine takes it from the name.
  const mediaType = file.type || undefined;
  return { name: file.name, mediaType, data: toBase64(new Uint8Array(bytes)) };
}
