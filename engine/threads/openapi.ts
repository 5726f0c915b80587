import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import { APPROVAL_CONFIG, SKILLS_CONFIG, TOOLS_CONFIG } from "../policies/openapi.ts";

/** What the OpenAPI document says of `threads/`. */
export const threadTexts: SliceTexts = {
  tag: "threads",
  about: "Threads: the conversations of a workspace.",
  operations: {
    "GET /workspaces/{uuid}/threads": {
      id: "listThreads",
      summary: "List the threads of a workspace, newest-updated first",
      about:
        "The list of an unknown workspace is empty. With any parameter the response is a page; its `Link` header has the address of the next page.",
      parameters: {
        uuid: "The uuid of the workspace.",
        limit: "The number of threads at most: 1 to 1,000.",
        before: "The uuid of a thread of the list; the page has the threads after it.",
        at: "The `updatedAt` of that thread when its page was read; the `Link` header has it. 409 where the thread was updated since.",
        query: "A part of the title, compared without case.",
      },
    },
    "POST /threads": {
      id: "createThread",
      summary: "Create a thread",
      about: "Publishes `thread.created`.",
    },
    "GET /threads/{uuid}": {
      id: "getThread",
      summary: "Get a thread",
      about: "Its messages are at `GET /threads/{uuid}/messages`.",
    },
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
      about: "`GET /threads/{uuid}` does not have them.",
    },
    "PUT /threads/{uuid}/policy": {
      id: "updateThreadPolicy",
      summary: "Replace the approval policy and skills of a thread",
      about: "A field that is left out becomes null.",
    },
  },
  schemas: {
    Thread: {
      about: "A thread.",
      fields: {
        id: "The number of the thread in the database.",
        uuid: "The uuid of the thread.",
        workspaceUuid: "The uuid of its workspace.",
        title: "The title; null until there is one.",
        description: "What the thread is about; null where there is none.",
        defaultModelId:
          "The id of the model configuration of its turns; null is that of the workspace.",
        toolsConfig: TOOLS_CONFIG,
        createdAt: "When it was created, ISO-8601 in UTC.",
        updatedAt: "When it or its messages were last changed, ISO-8601 in UTC.",
      },
    },
    CreateThread: {
      about: "The fields of a new thread; one that is left out becomes null.",
      like: "Thread",
    },
    UpdateThread: {
      about: "The fields to change; one that is left out keeps its value, null clears it.",
      like: "Thread",
    },
    ThreadPolicy: {
      about: "The approval policy and the skills of a thread.",
      fields: {
        approvalConfig: APPROVAL_CONFIG,
        skillsConfig: SKILLS_CONFIG,
      },
    },
    ReplaceThreadPolicy: {
      about: "The new policy; a field that is left out becomes null.",
      like: "ThreadPolicy",
    },
  },
};
