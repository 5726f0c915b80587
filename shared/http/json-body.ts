import { concatBytes, fromUtf8 } from "../bytes.ts";

/** The reason why a body could not be read. */
export type BodyFault = "too_large" | "not_utf8" | "not_json";

/** Reads a JSON body of any Content-Type, at most `bytesMax` of it. An empty body is no JSON. */
export async function readJsonBody(
  request: Request,
  bytesMax: number,
): Promise<{ value: unknown } | { fault: BodyFault | "empty" }> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(request, bytesMax);
  } catch {
    // The client disconnected, and does not read the response.
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

/** The whole body, or undefined if it is larger than `bytesMax`. */
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
    // The server enforces Content-Length, and `arrayBuffer` is faster than a loop over the stream.
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
  return concatBytes(chunks);
}
