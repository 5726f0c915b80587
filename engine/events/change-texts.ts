import type { SchemaText } from "../../shared/http/openapi-texts.ts";

const ENVELOPE = {
  id: "The id after which a client resumes.",
  event: "The type of the change.",
  data: "What changed, by id and name; never its content.",
};

const DATA = {
  workspaceUuid: "The uuid of the workspace.",
  threadUuid: "The uuid of the thread.",
  messageUuid: "The uuid of the message.",
  modelId: "The id of the model configuration.",
  toolUuid: "The uuid of the configured tool.",
  turnUuid: "The uuid of the turn.",
  approvalUuid: "The uuid of the approval.",
  changed: "The names of the fields, as the API spells them.",
  role: "Who wrote it.",
  keys: "The keys; null where they are too many or too long to name.",
  state: "The new state.",
  rootIndex: "The position of the root in `directories`, from 0.",
  phase: "The step of the run.",
  done: "How many files or pieces are done.",
  total: "How many there are; null until that is known.",
  filesDone: "How many files of the root are done.",
  filesTotal: "How many files the root has; null until they are counted.",
};

function dataTexts(...names: (keyof typeof DATA)[]) {
  const data = names.map((name) => [`data.${name}`, DATA[name]]);
  return { ...ENVELOPE, ...Object.fromEntries(data) };
}

/** What the document says of the events of `GET /changes`. */
export const changeTexts: Readonly<Record<string, SchemaText>> = {
  ChangeEvent: { about: "A change; `event` says which." },
  WorkspaceCreatedChange: {
    about: "A workspace was created.",
    fields: dataTexts("workspaceUuid"),
  },
  WorkspaceUpdatedChange: {
    about: "Fields of a workspace changed.",
    fields: dataTexts("workspaceUuid", "changed"),
  },
  WorkspaceDeletedChange: {
    about: "A workspace was deleted, with its threads and records.",
    fields: dataTexts("workspaceUuid"),
  },
  ThreadCreatedChange: {
    about: "A thread was created.",
    fields: dataTexts("threadUuid", "workspaceUuid"),
  },
  ThreadUpdatedChange: {
    about: "Fields of a thread changed.",
    fields: dataTexts("threadUuid", "workspaceUuid", "changed"),
  },
  ThreadDeletedChange: {
    about: "A thread was deleted, with its messages.",
    fields: dataTexts("threadUuid", "workspaceUuid"),
  },
  MessageCreatedChange: {
    about: "A message was stored.",
    fields: dataTexts("messageUuid", "threadUuid", "role"),
  },
  SettingsUpdatedChange: {
    about: "Settings were stored.",
    fields: dataTexts("keys"),
  },
  ModelCreatedChange: {
    about: "A model configuration was created.",
    fields: dataTexts("modelId"),
  },
  ModelUpdatedChange: {
    about: "Fields of a model configuration changed.",
    fields: dataTexts("modelId", "changed"),
  },
  ModelDeletedChange: {
    about: "A model configuration was deleted.",
    fields: dataTexts("modelId"),
  },
  ToolCreatedChange: {
    about: "A configured tool was created.",
    fields: dataTexts("toolUuid"),
  },
  ToolUpdatedChange: {
    about: "Fields of a configured tool changed.",
    fields: dataTexts("toolUuid", "changed"),
  },
  ToolDeletedChange: {
    about: "A configured tool was deleted.",
    fields: dataTexts("toolUuid"),
  },
  TurnUpdatedChange: {
    about: "The state of a turn changed.",
    fields: dataTexts("turnUuid", "threadUuid", "workspaceUuid", "state"),
  },
  ApprovalRequestedChange: {
    about: "An approval of a tool call is requested.",
    fields: dataTexts("approvalUuid", "turnUuid", "threadUuid"),
  },
  ApprovalSettledChange: {
    about: "An approval of a tool call is settled.",
    fields: dataTexts("approvalUuid", "turnUuid", "threadUuid", "state"),
  },
  RagProgressChange: {
    about: "The progress of an index run of a root.",
    fields: dataTexts(
      "workspaceUuid",
      "rootIndex",
      "phase",
      "done",
      "total",
      "filesDone",
      "filesTotal",
    ),
  },
  RagCompletedChange: {
    about: "An index run of a root ended.",
    fields: dataTexts("workspaceUuid", "rootIndex", "state"),
  },
  ResyncChange: {
    about:
      "Changes after the given id are lost: the client must reload its data. Its `data:` is empty.",
    fields: dataTexts(),
  },
};
