import { z } from "@hono/zod-openapi";
import { errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { notFound, orNotFound } from "../errors.ts";
import { API_PREFIX } from "../http/pipeline.ts";
import { get } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { uuidParam } from "../http/wire.ts";
import type { AttachmentFiles } from "./attachment-files.ts";
import { listAttachments } from "./attachment-store.ts";
import { Attachment } from "./wire.ts";

const BYTES = { schema: { type: "string" as const, format: "binary" } };
// RFC 9110 §8.3.1, without parameters. The type of an attachment may be any text.
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const POSITION = /^\d$/;

/** The attachments of messages; additive. */
export function attachmentRoutes({ db }: Pick<EngineDeps, "db">, files: AttachmentFiles) {
  return createRouter({ details: true, tag: "messages" }, [
    get("/messages/{uuid}/attachments", {
      operationId: "listMessageAttachments",
      summary: "List the attachments of a message",
      description: "The address of each has its bytes; it needs the bearer.",
      request: { params: uuidParam("the message") },
      responses: { ...ok(z.array(Attachment)), ...errors(404) },
      handler: async ({ uuid }) => {
        const stored = orNotFound(await listAttachments(db, uuid), "Message");
        const list = stored.map(({ name, mediaType, size }, at) => {
          const url = `${API_PREFIX}/messages/${uuid}/attachments/${at}`;
          return { name, mediaType, size, url };
        });
        return list;
      },
    }),
    get("/messages/{uuid}/attachments/{position}", {
      operationId: "getMessageAttachment",
      summary: "Get the bytes of an attachment",
      description: "With the media type that was sent, to be saved rather than shown.",
      request: {
        params: uuidParam("the message").extend({
          position: z.string().describe("The position in the list, from 0."),
        }),
      },
      responses: {
        200: { description: "Success", content: { "*/*": BYTES } },
        ...errors(404),
      },
      handler: async ({ uuid, position }, c) => {
        const list = POSITION.test(position) ? await listAttachments(db, uuid) : undefined;
        const found = list?.[Number(position)];
        const bytes = found && (await files.read(found.hash));
        if (!bytes) throw notFound("Attachment");
        const { name, mediaType } = found;
        return c.body(bytes, 200, {
          "Content-Type": MEDIA_TYPE.test(mediaType) ? mediaType : "application/octet-stream",
          "Content-Disposition": `attachment; filename*=UTF-8''${toExtendedValue(name)}`,
          "Content-Security-Policy": "sandbox; default-src 'none'",
          "Cache-Control": "no-store, private",
          "X-Content-Type-Options": "nosniff",
        });
      },
    }),
  ]);
}

/** RFC 8187 §3.2.1: what `encodeURIComponent` leaves as it is, and this header does not. */
function toExtendedValue(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
