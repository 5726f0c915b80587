import { z } from "@hono/zod-openapi";
import type { Batch } from "../../shared/batch.ts";
import { field, object } from "../http/fields.ts";
import { CONTEXT_PATH_CHARACTERS_MAX, FRAME_ID_CHARACTERS_MAX } from "../limits.ts";
import type { Message } from "../messages/wire.ts";
import type { ModelAttachment, ReasoningEffort } from "../models/language-model.ts";
import { checkSizes, decodeAttachment, isPlainFilename } from "./attachments.ts";
import {
  ATTACHMENT_NAME_CHARACTERS_MAX,
  ATTACHMENTS_MAX,
  LABEL_CHARACTERS_MAX,
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

// Texts that frames and HTTP share: `description` is that of the frames, `http` that of the OpenAPI document.

/** An id in the data of a frame. */
export const FrameId = z.string().max(FRAME_ID_CHARACTERS_MAX);

const ContextFile = object({
  root_index: z
    .number()
    .int()
    .min(0)
    .describe("The position of its root in `directories`, from 0."),
  path: textUpTo(CONTEXT_PATH_CHARACTERS_MAX).min(1).meta({
    description: "The path of the file, relative to its root.",
    http: "Its path in the root, separated by `/`.",
  }),
  label: z.unknown().optional().meta({
    type: "string",
    description: "A name for the file; not read.",
    http: "What the client shows for it.",
  }),
}).transform(({ root_index, path, label }): ContextFile => {
  // A label that is blank or not a string is replaced by the path (Engine §4, file context rule 2).
  const isLabel = typeof label === "string" && label.trim() !== "";
  return { rootIndex: root_index, path, label: isLabel ? cutLabel(label) : path };
});

const SentAttachment = object({
  name: textUpTo(ATTACHMENT_NAME_CHARACTERS_MAX)
    .min(1)
    .refine(isPlainFilename, { message: "must be a plain filename" })
    .meta({ description: "A plain file name.", http: "The name of the file, without a path." }),
  media_type: textUpTo(MEDIA_TYPE_CHARACTERS_MAX).optional().meta({
    description: "The media type; by the name where it is left out.",
    http: "Its media type; else it follows from the name.",
  }),
  data: z.string().meta({
    contentEncoding: "base64",
    description: "The bytes, in base64.",
    http: "Its bytes.",
  }),
}).transform(decodeAttachment);

/** Engine §4, FileContext. */
const FileContext = object({
  active_file: ContextFile.nullish().meta({
    description: "The file that the user has open.",
    http: "The file that the client shows; null where it shows none.",
  }),
  tagged_files: z.array(ContextFile).max(TAGGED_FILES_MAX).nullish().meta({
    description: "Files that the user named.",
    http: "The files that the message names.",
  }),
  attachments: z.array(SentAttachment).max(ATTACHMENTS_MAX).nullish().meta({
    description: "Files that are sent along.",
    http: "Files that come with the message.",
  }),
}).transform((input, issues): FileContext => {
  const attachments = input.attachments ?? [];
  checkSizes(attachments, issues);
  return {
    activeFile: input.active_file ?? undefined,
    // The first file of each root and path is kept (Engine §4, file context rule 1).
    taggedFiles: withoutRepeats(input.tagged_files ?? []),
    attachments,
    keepsAttachments: input.attachments == null,
  };
});

/** What a turn is started with, without its thread or workspace. */
export const turnInput = {
  content: z
    .string()
    .transform((text) => text.toWellFormed())
    .meta({ description: "The message of the user.", http: "The text of the user message." }),
  model_id: FrameId.nullish().meta({
    description:
      "The id of a model configuration, or `echo`; the default of the thread where it is left out.",
    http: "The model of the turn; null is the default of the thread or workspace.",
  }),
  tools_enabled: z
    .unknown()
    .optional()
    .transform((value) => value !== false)
    .meta({ type: "boolean", description: "Only a literal false disables the built-in tools." }),
  file_context: FileContext.nullish().meta({
    description: "Files that belong to the message.",
    http: "The files that the message is about; null where there are none.",
  }),
};

/** Engine §4, ChatSend. Null equals an omitted field; lone surrogates are replaced. */
export const ChatSend = object({
  content: turnInput.content,
  thread_uuid: FrameId.nullish().describe("The uuid of the thread to continue."),
  workspace_uuid: FrameId.nullish().describe("The uuid of the workspace to begin a thread in."),
  model_id: turnInput.model_id,
  tools_enabled: turnInput.tools_enabled,
  file_context: turnInput.file_context,
})
  .refine(({ thread_uuid, workspace_uuid }) => (thread_uuid == null) !== (workspace_uuid == null), {
    path: ["thread_uuid"],
    message: "exactly one of thread_uuid and workspace_uuid is required",
  })
  .meta({
    description: "Begins a turn. Exactly one of `thread_uuid` and `workspace_uuid` is needed.",
    envelope: {
      id: "The id of the turn: every frame of the turn carries it. The engine makes one where it is left out.",
      data: "The message.",
    },
  });
export type ChatSend = z.infer<typeof ChatSend>;

/** What starts a turn. Over HTTP its question may replace a user message of the thread, and keep the text of that. */
export type TurnStartInput = Omit<ChatSend, "content"> & {
  content?: string | null | undefined;
  replaces?: string | null | undefined;
  reasoning_effort?: ReasoningEffort | null | undefined;
  /** The program that asks, if it has a client key. */
  client?: ClientOrigin | undefined;
};

const TURN_ID = "The id of the turn, where the frame has no id.";

export const ChatCancel = object({
  turn_id: FrameId.optional().catch(undefined).describe(TURN_ID),
}).meta({ description: "Cancels a turn of this connection.", envelope: { data: "Which turn." } });

export const ChatNotification = object({
  content: z
    .string()
    .refine((text) => text.trim() !== "", { message: "must not be blank" })
    .transform((text) => text.toWellFormed())
    .describe("The text; not blank."),
  thread_uuid: FrameId.describe("The uuid of the thread."),
}).meta({
  description: "Stores a system message.",
  envelope: { id: "The id that the answer carries.", data: "The message." },
});

export type ChatNotification = z.infer<typeof ChatNotification>;

const turn_id = FrameId.nullish().describe(TURN_ID);

export const ApprovalResponse = object({
  approval_id: FrameId.describe("The id of the request."),
  decision: z.unknown().optional().meta({
    type: "string",
    description: "Only `approve`, in any case, approves; all else denies.",
  }),
  turn_id,
}).meta({ description: "Answers `tool.approval.request`.", envelope: { data: "The decision." } });
export type ApprovalResponse = z.infer<typeof ApprovalResponse>;

export const ClientToolResult = object({
  request_id: FrameId.describe("The id of the request."),
  ok: field.flag("Whether the tool succeeded."),
  result: z
    .unknown()
    .optional()
    .meta({ ...ANY_JSON, description: "What the tool returned, any JSON value." }),
  error: z.string().nullish().describe("Why it failed, as a sentence."),
  turn_id,
}).meta({ description: "Answers `client.tool.request`.", envelope: { data: "The result." } });
export type ClientToolResult = z.infer<typeof ClientToolResult>;

/** A turn that another program asks for with a client key, and what it adds to the turn. */
export interface ClientOrigin {
  key: { uuid: string; name: string };
  /** Added to the instructions of the turn. */
  instructions: string;
  /**
   * Adds what is stored before the user message to its batch. Returns a function for the messages among it, to be called after
   * the batch has run.
   */
  addTo(batch: Batch, place: { threadUuid: string; now: string }): () => Message[];
}

/** A file that a turn refers to. It need not exist until a tool reads it (Engine §4, file context rule 4). */
interface ContextFile {
  rootIndex: number;
  path: string;
  label: string;
}

export interface FileContext {
  activeFile: ContextFile | undefined;
  taggedFiles: readonly ContextFile[];
  attachments: readonly ModelAttachment[];
  /** Whether the client named none: a message that replaces another one then keeps those of it. */
  keepsAttachments: boolean;
}

export const EMPTY_FILE_CONTEXT: FileContext = {
  activeFile: undefined,
  taggedFiles: [],
  attachments: [],
  keepsAttachments: true,
};

/** All files that the turn refers to, each once: the active one, then the tagged ones. */
export function referredFiles({ activeFile, taggedFiles }: FileContext): ContextFile[] {
  return withoutRepeats([...(activeFile ? [activeFile] : []), ...taggedFiles]);
}

function withoutRepeats(files: readonly ContextFile[]): ContextFile[] {
  const known = new Set<string>();
  return files.filter(({ rootIndex, path }) => {
    const key = `${rootIndex}:${path}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function cutLabel(label: string): string {
  if (label.length <= LABEL_CHARACTERS_MAX) return label;
  const start = Array.from(label.slice(0, LABEL_CHARACTERS_MAX * 2));
  return start.slice(0, LABEL_CHARACTERS_MAX).join("");
}
