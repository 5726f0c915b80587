import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `threads/`. */
export const threadTexts: SliceTexts = {
  tag: "threads",
  about: "Threads: the conversations of a workspace.",
  operations: {
    "GET /workspaces/{uuid}/threads": {
      id: "listThreads",
      summary: "List the threads of a workspace, newest-updated first",
      about: "An unknown workspace has none.",
      parameters: { uuid: "The uuid of the workspace." },
    },
    "POST /threads": {
      id: "createThread",
      summary: "Create a thread",
      about: "Publishes `thread.created`.",
    },
    "GET /threads/{uuid}": { id: "getThread", summary: "Get a thread" },
    "PUT /threads/{uuid}": {
      id: "updateThread",
      summary: "Change fields of a thread",
      about:
        "A field that is left out keeps its value; null clears it. Publishes `thread.updated`.",
    },
    "DELETE /threads/{uuid}": {
      id: "deleteThread",
      summary: "Delete a thread with its messages",
      about: "Running turns of the thread end.",
    },
    "GET /threads/{uuid}/policy": {
      id: "getThreadPolicy",
      summary: "Get the approval policy and skills of a thread",
    },
    "PUT /threads/{uuid}/policy": {
      id: "updateThreadPolicy",
      summary: "Replace the approval policy and skills of a thread",
      about: "A field that is left out becomes null.",
    },
  },
};
