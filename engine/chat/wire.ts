import { z } from "@hono/zod-openapi";
import { CONTEXT_PATH_CHARACTERS_MAX, FRAME_ID_CHARACTERS_MAX } from "../limits.ts";
import { decodeAttachment, isPlainFilename } from "./attachments.ts";
import { toContextFile, toFileContext } from "./file-context.ts";
import {
  ATTACHMENT_NAME_CHARACTERS_MAX,
  ATTACHMENTS_MAX,
  MEDIA_TYPE_CHARACTERS_MAX,
  TAGGED_FILES_MAX,
} from "./limits.ts";

// Lengths count code points, as JSON Schema does.
const textUpTo = (max: number) =>
  z
    .string()
    .refine((text) => text.length <= max || (text.length <= max * 2 && [...text].length <= max), {
      message: `must have at most ${max} characters`,
    })
    .meta({ maxLength: max });

/** Of a value that may be anything: its types, for the document. */
export const ANY_JSON: { type: ["null", "boolean", "number", "string", "array", "object"] } = {
  type: ["null", "boolean", "number", "string", "array", "object"],
};

/** An id in the data of a frame. */
export const FrameId = z.string().max(FRAME_ID_CHARACTERS_MAX);

const ContextFile = z
  .object({
    root_index: z.number().int().min(0),
    path: textUpTo(CONTEXT_PATH_CHARACTERS_MAX).min(1),
    label: z.unknown().optional().meta({ type: "string" }),
  })
  .transform(toContextFile);

const Attachment = z
  .object({
    name: textUpTo(ATTACHMENT_NAME_CHARACTERS_MAX)
      .min(1)
      .refine(isPlainFilename, { message: "must be a plain filename" }),
    media_type: textUpTo(MEDIA_TYPE_CHARACTERS_MAX).optional(),
    data: z.string().meta({ contentEncoding: "base64" }),
  })
  .transform(decodeAttachment);

/** Engine §4, FileContext. */
export const FileContext = z
  .object({
    active_file: ContextFile.nullish(),
    tagged_files: z.array(ContextFile).max(TAGGED_FILES_MAX).nullish(),
    attachments: z.array(Attachment).max(ATTACHMENTS_MAX).nullish(),
  })
  .transform(toFileContext);

/** What a turn is started with, without its thread or workspace. */
export const turnInput = {
  content: z.string().transform((text) => text.toWellFormed()),
  model_id: FrameId.nullish(),
  tools_enabled: z
    .unknown()
    .optional()
    .transform((value) => value !== false)
    .meta({ type: "boolean", description: "Only a literal false disables the built-in tools." }),
  file_context: FileContext.nullish(),
};

/** Engine §4, ChatSend. Null equals an omitted field; lone surrogates are replaced. */
export const ChatSend = z
  .object({
    content: turnInput.content,
    thread_uuid: FrameId.nullish(),
    workspace_uuid: FrameId.nullish(),
    model_id: turnInput.model_id,
    tools_enabled: turnInput.tools_enabled,
    file_context: turnInput.file_context,
  })
  .refine(({ thread_uuid, workspace_uuid }) => (thread_uuid == null) !== (workspace_uuid == null), {
    path: ["thread_uuid"],
    message: "exactly one of thread_uuid and workspace_uuid is required",
  });
export type ChatSend = z.infer<typeof ChatSend>;

/** The data names the turn where the frame has no id. */
export const ChatCancel = z.object({ turn_id: FrameId.optional().catch(undefined) });

/** A system message for a thread. */
export const ChatNotification = z.object({
  content: z
    .string()
    .refine((text) => text.trim() !== "", { message: "must not be blank" })
    .transform((text) => text.toWellFormed()),
  thread_uuid: FrameId,
});

export type ChatNotification = z.infer<typeof ChatNotification>;

const turn_id = FrameId.nullish();

/** The answer to `tool.approval.request`. */
export const ApprovalResponse = z.object({
  approval_id: FrameId,
  decision: z.unknown().optional().meta({
    type: "string",
    description: "Only `approve`, in any case, approves; all else denies.",
  }),
  turn_id,
});
export type ApprovalResponse = z.infer<typeof ApprovalResponse>;

/** The answer to `client.tool.request`. */
export const ClientToolResult = z.object({
  request_id: FrameId,
  ok: z.boolean(),
  result: z.unknown().optional().meta(ANY_JSON),
  error: z.string().nullish(),
  turn_id,
});
export type ClientToolResult = z.infer<typeof ClientToolResult>;
