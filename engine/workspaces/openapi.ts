import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `workspaces/`. */
export const workspaceTexts: SliceTexts = {
  tag: "workspaces",
  about: "Workspaces: folders of the user, and what a chat in them may do.",
  operations: {
    "GET /workspaces": { id: "listWorkspaces", summary: "List all workspaces, ordered by name" },
    "POST /workspaces": { id: "createWorkspace", summary: "Create a workspace" },
    "GET /workspaces/{uuid}": { id: "getWorkspace", summary: "Get a workspace" },
    "PUT /workspaces/{uuid}": {
      id: "updateWorkspace",
      summary: "Replace the fields of a workspace",
      about: "Every field that is left out becomes null: send what you read, with your changes.",
    },
    "DELETE /workspaces/{uuid}": {
      id: "deleteWorkspace",
      summary: "Delete a workspace with its threads, messages and records",
      about: "Its folders and their indexes stay. Running turns end.",
    },
    "GET /workspaces/{uuid}/policy": {
      id: "getWorkspacePolicy",
      summary: "Get the skills of a workspace",
    },
    "PUT /workspaces/{uuid}/policy": {
      id: "updateWorkspacePolicy",
      summary: "Replace the skills of a workspace",
    },
  },
};
