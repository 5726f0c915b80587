import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { activityTexts } from "../events/activity-texts.ts";

const V = "The version of the envelope: 1.";
const TYPE = "The type of the frame.";
const TURN_ID = "The id of the frame that this one belongs to.";

/** What the JSON Schema says of the WebSocket frames. */
export const frameTexts: Pick<SliceTexts, "schemas"> = {
  schemas: {
    inbound: { about: "A frame to the engine." },
    outbound: { about: "A frame from the engine." },
    ClientHelloFrame: {
      about:
        "Registers the connection, so that it gets `message.created` and `thread.created` of others.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "What the frame says.",
        "data.clientId":
          "The id of the client, unique among connections; the engine makes one where it is left out.",
        "data.clientName": "A name to show.",
      },
    },
    PingFrame: {
      about: "Asks for `pong`.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "Ignored.",
      },
    },
    ChatSendFrame: {
      about: "Begins a turn. Exactly one of `thread_uuid` and `workspace_uuid` is needed.",
      fields: {
        v: V,
        type: TYPE,
        id: "The id of the turn: every frame of the turn carries it. The engine makes one where it is left out.",
        data: "The message.",
        "data.content": "The message of the user.",
        "data.thread_uuid": "The uuid of the thread to continue.",
        "data.workspace_uuid": "The uuid of the workspace to begin a thread in.",
        "data.model_id":
          "The id of a model configuration, or `echo`; the default of the thread where it is left out.",
        "data.tools_enabled":
          "Whether built-in tools may be used; only a literal false disables them.",
        "data.file_context": "Files that belong to the message.",
        "data.file_context.active_file": "The file that the user has open.",
        "data.file_context.active_file.path": "The path of the file, relative to its root.",
        "data.file_context.active_file.root_index":
          "The position of its root in `directories`, from 0.",
        "data.file_context.active_file.label": "A name for the file; not read.",
        "data.file_context.tagged_files": "Files that the user named.",
        "data.file_context.tagged_files.path": "The path of the file, relative to its root.",
        "data.file_context.tagged_files.root_index":
          "The position of its root in `directories`, from 0.",
        "data.file_context.tagged_files.label": "A name for the file; not read.",
        "data.file_context.attachments": "Files that are sent along.",
        "data.file_context.attachments.name": "A plain file name.",
        "data.file_context.attachments.media_type":
          "The media type; by the name where it is left out.",
        "data.file_context.attachments.data": "The bytes, in base64.",
      },
    },
    ChatCancelFrame: {
      about: "Cancels a turn of this connection.",
      fields: {
        v: V,
        type: TYPE,
        id: "The id of the turn; it wins over `turn_id`.",
        data: "Which turn.",
        "data.turn_id": "The id of the turn, where the frame has no id.",
      },
    },
    ChatNotificationFrame: {
      about: "Stores a system message.",
      fields: {
        v: V,
        type: TYPE,
        id: "The id that the answer carries.",
        data: "The message.",
        "data.content": "The text; not blank.",
        "data.thread_uuid": "The uuid of the thread.",
      },
    },
    ToolApprovalResponseFrame: {
      about: "Answers `tool.approval.request`.",
      fields: {
        v: V,
        type: TYPE,
        id: "The id of the turn; it wins over `turn_id`.",
        data: "The decision.",
        "data.approval_id": "The id of the request.",
        "data.decision": "Only `approve`, in any case, approves; all else denies.",
        "data.turn_id": "The id of the turn, where the frame has no id.",
      },
    },
    ToolRegisterFrame: {
      about: "Offers UI tools, which turns of this connection may call.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "What the frame says.",
        "data.tools": "The tools.",
        "data.tools.id": "One of the five UI tools.",
      },
    },
    ToolUnregisterFrame: {
      about: "Takes a UI tool back.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "What the frame says.",
        "data.id": "One of the five UI tools.",
      },
    },
    ClientToolResultFrame: {
      about: "Answers `client.tool.request`.",
      fields: {
        v: V,
        type: TYPE,
        id: "The id of the turn; it wins over `turn_id`.",
        data: "The result.",
        "data.request_id": "The id of the request.",
        "data.ok": "Whether the tool succeeded.",
        "data.result": "What the tool returned, any JSON value.",
        "data.error": "Why it failed, as a sentence.",
        "data.turn_id": "The id of the turn, where the frame has no id.",
      },
    },
    ProfileSetFrame: {
      about: "Accepted, and without effect.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "Ignored.",
      },
    },
    ToolResultFrame: {
      about: "Accepted, and without effect.",
      fields: {
        v: V,
        type: TYPE,
        id: "An id of the client; not needed.",
        data: "Ignored.",
      },
    },
    ClientHelloAckFrame: {
      about: "The connection is registered.",
      fields: {
        v: V,
        type: TYPE,
        data: "What the frame says.",
        "data.clientId": "The id of the client.",
      },
    },
    ClientHelloRejectFrame: {
      about: "The connection is not registered.",
      fields: {
        v: V,
        type: TYPE,
        data: "What the frame says.",
        "data.reason": "Why, as a sentence.",
      },
    },
    PongFrame: {
      about: "Answers `ping`.",
      fields: {
        v: V,
        type: TYPE,
        data: "Always null.",
      },
    },
    ErrorFrame: {
      about: "A frame could not be used. It belongs to no turn.",
      fields: {
        v: V,
        type: TYPE,
        data: "What the frame says.",
        "data.error": "Why, as a sentence.",
      },
    },
    ChatDeltaFrame: {
      about:
        "The whole answer of the model, once, before `chat.done`; pieces come as `agui.event`.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.thread_uuid": "The uuid of the thread.",
        "data.delta": "The text.",
      },
    },
    ChatDoneFrame: {
      about: "The turn is complete, and its messages are stored. The last frame of the turn.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.thread_uuid": "The uuid of the thread.",
      },
    },
    ChatCancelledFrame: {
      about: "The turn was cancelled. The last frame of the turn.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.thread_uuid": "The uuid of the thread; null where there was none yet.",
      },
    },
    ChatErrorFrame: {
      about: "The turn failed. The last frame of the turn.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.thread_uuid": "The uuid of the thread; null where there was none yet.",
        "data.error": "Why, as a sentence.",
      },
    },
    ChatNotificationDoneFrame: {
      about: "The system message is stored.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.thread_uuid": "The uuid of the thread.",
        "data.message_uuid": "The uuid of the message.",
      },
    },
    ChatNotificationErrorFrame: {
      about: "The system message is not stored.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.error": "Why, as a sentence.",
      },
    },
    AguiEventFrame: {
      about: "What happens in the turn; `model.delta` is the next piece of the text.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "The graph event.",
      },
    },
    ToolApprovalRequestFrame: {
      about: "A tool waits for the user: answer with `tool.approval.response`.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.approval_id": "The id to answer with.",
        "data.thread_uuid": "The uuid of the thread.",
        "data.tool_name": "The name of the tool.",
        "data.arguments": "The exact arguments of the call, by name.",
        "data.operation": "What the tool does to data.",
      },
    },
    ClientToolRequestFrame: {
      about: "A UI tool is to run in the client: answer with `client.tool.result`.",
      fields: {
        v: V,
        type: TYPE,
        id: TURN_ID,
        data: "What the frame says.",
        "data.request_id": "The id to answer with.",
        "data.tool_name": "One of the five UI tools.",
        "data.arguments": "The arguments of the call, by name.",
      },
    },
    ThreadCreatedFrame: {
      about: "Another client created a thread.",
      fields: {
        v: V,
        type: TYPE,
        data: "What the frame says.",
        "data.threadId": "The uuid of the thread.",
        "data.workspaceId": "The uuid of its workspace.",
        "data.title": "The title; null where there is none.",
      },
    },
    MessageCreatedFrame: {
      about: "A message was stored for another client.",
      fields: {
        v: V,
        type: TYPE,
        data: "What the frame says.",
        "data.messageId": "The uuid of the message.",
        "data.threadId": "The uuid of the thread.",
        "data.role": "Who wrote it.",
        "data.content": "The text.",
      },
    },
    ...activityTexts,
  },
};
