import { fromUtf8 } from "../bytes.ts";

/** Why a body could not be read. */
export type BodyFault = "too_large" | "not_utf8" | "not_json";

/** Reads a JSON body whatever its Content-Type, never more than `bytesMax` of it. No body at all is not JSON. */
export async function readJsonBody(
  request: Request,
  bytesMax: number,
): Promise<{ value: unknown } | { fault: BodyFault | "empty" }> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, bytesMax);
  } catch {
    // The client disconnected: no fault of the program, and the response is not read.
    return { fault: "not_json" };
  }
  if (!bytes) return { fault: "too_large" };
  if (bytes.length === 0) return { fault: "empty" };
  let text: string;
  try {
    text = fromUtf8(bytes);
  } catch {
    return { fault: "not_utf8" };
  }
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, "")) };
  } catch {
    return { fault: "not_json" };
  }
}

/** The whole body, or undefined once it is known to be larger than `bytesMax`. */
export async function readBytes(
  message: Request | Response,
  bytesMax: number,
): Promise<Uint8Array | undefined> {
  const declared = message.headers.get("content-length");
  if (declared !== null) {
    if (Number(declared) > bytesMax) {
      await message.body?.cancel();
      return undefined;
    }
    // A server holds a body to its Content-Length; the web platform reads that in one go, and faster.
    if (message instanceof Request) return new Uint8Array(await message.arrayBuffer());
  }
  if (!message.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not every browser iterates over a stream.
  const reader = message.body.getReader();
  for (;;) {
    const { done, value: chunk } = await reader.read();
    if (done) break;
    size += chunk.length;
    if (size > bytesMax) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
