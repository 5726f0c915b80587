import type { SliceTexts } from "../../shared/http/openapi-texts.ts";
import {
  APPROVAL_CONFIG,
  DIRECTORIES,
  RAG_CONFIG,
  SKILLS_CONFIG,
  TOOLS_CONFIG,
} from "../policies/openapi.ts";

/** What the OpenAPI document says of `workspaces/`. */
export const workspaceTexts: SliceTexts = {
  tag: "workspaces",
  about: "Workspaces: folders of the user, and what a chat in them may do.",
  operations: {
    "GET /workspaces": {
      id: "listWorkspaces",
      summary: "List all workspaces, ordered by name",
      about: "The response has all workspaces; there are no pages.",
    },
    "POST /workspaces": {
      id: "createWorkspace",
      summary: "Create a workspace",
      about: "Only `name` is required. Its folders are in `directories`.",
    },
    "GET /workspaces/{uuid}": {
      id: "getWorkspace",
      summary: "Get a workspace",
      about: "Strings that hold JSON are returned as they were stored.",
    },
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
      about: "`GET /workspaces/{uuid}` does not have them.",
    },
    "PUT /workspaces/{uuid}/policy": {
      id: "updateWorkspacePolicy",
      summary: "Replace the skills of a workspace",
      about: "A field that is left out becomes null.",
    },
  },
  schemas: {
    Workspace: {
      about: "A workspace.",
      fields: {
        id: "The number of the workspace in the database.",
        uuid: "The uuid of the workspace.",
        name: "The name; not empty.",
        description: "What the workspace is for; null where there is none.",
        defaultModelId:
          "The id of the model configuration of new turns; null is the engine's default.",
        toolsConfig: TOOLS_CONFIG,
        directories: DIRECTORIES,
        approvalConfig: APPROVAL_CONFIG,
        ragConfig: RAG_CONFIG,
        createdAt: "When it was created, ISO-8601 in UTC.",
        updatedAt: "When it was last changed, ISO-8601 in UTC.",
      },
    },
    CreateWorkspace: {
      about: "The fields of a workspace; one that is left out becomes null.",
      like: "Workspace",
    },
    WorkspacePolicy: {
      about: "The skills of a workspace.",
      fields: {
        skillsConfig: SKILLS_CONFIG,
      },
    },
    ReplaceWorkspacePolicy: {
      about: "The new policy; a field that is left out becomes null.",
      like: "WorkspacePolicy",
    },
  },
};
