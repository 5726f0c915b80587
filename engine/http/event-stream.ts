import { ReadableStream as NodeStream } from "node:stream/web";
import { z } from "@hono/zod-openapi";

/** The response of an event stream, as routes declare it; an event is a component of the document. */
export function eventStream(event: "StreamEvent" | "ChangeEvent" | "TurnEvent") {
  const schema = { $ref: `#/components/schemas/${event}` };
  return { 200: { description: "Success", content: { "text/event-stream": { schema } } } };
}

/** Where a reader of a stream resumes: both are the id of the last event that it has. */
export const resumeRequest = {
  query: z.object({
    after: z.string().optional().describe("The id of the last event that the client has."),
  }),
  headers: z.object({
    "last-event-id": z.string().optional().describe("The same; it counts where both are given."),
  }),
};

const HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache",
  Connection: "keep-alive",
  "X-Accel-Buffering": "no",
};

/** An open event stream (Engine §6, server-sent events 1). */
export function eventStreamResponse(
  stream: ReadableStream<Uint8Array> | string | undefined,
  more: Record<string, string> = {},
): Response {
  return new Response(stream, { headers: { ...HEADERS, ...more } });
}

/** A stream that makes its pieces when they are read. A reader that leaves ends `pieces`. */
export function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  // The global type, which is that of browsers, has no `from`.
  return NodeStream.from(pieces) as unknown as ReadableStream<Uint8Array>;
}

/**
 * The id after which a reader resumes, as it was sent. The header comes first: a client that reconnects repeats the query of
 * its first request. A client without an id may send an empty header.
 */
export function resumeIdOf(
  request: z.infer<typeof resumeRequest.headers> & z.infer<typeof resumeRequest.query>,
): string | undefined {
  return request["last-event-id"] || request.after;
}
