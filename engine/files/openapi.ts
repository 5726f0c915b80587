import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

const WORKSPACE = { uuid: "The uuid of the workspace." };
const FILE = {
  ...WORKSPACE,
  path: "The path of the file, relative to its root, separated by `/`.",
};

/** What the OpenAPI document says of `files/`. */
export const fileTexts: SliceTexts = {
  tag: "files",
  about: "Files and folders below the roots of a workspace. Paths never leave their root.",
  operations: {
    "GET /workspaces/{uuid}/files/search": {
      id: "searchFiles",
      summary: "Find files of all roots by name or path",
      parameters: {
        ...WORKSPACE,
        q: "A part of the name or path, compared without case; empty matches every file.",
        limit: "How many matches at most: 1 to 200, by default 50. Other numbers are clamped.",
      },
    },
    "GET /workspaces/{uuid}/files": {
      id: "listFiles",
      summary: "List the files and folders of a folder",
      parameters: {
        ...WORKSPACE,
        path: "The path of the folder, relative to its root; empty is the root itself.",
      },
    },
    "GET /workspaces/{uuid}/files/content": {
      id: "getFile",
      summary: "Get the text of a file",
      parameters: FILE,
    },
    "POST /workspaces/{uuid}/files/content": {
      id: "createFile",
      summary: "Create a text file in an existing folder",
      parameters: FILE,
    },
    "PUT /workspaces/{uuid}/files/content": {
      id: "updateFile",
      summary: "Replace the text of an existing file",
      parameters: FILE,
    },
    "GET /workspaces/{uuid}/files/preview": {
      id: "previewFile",
      summary: "Get the bytes of an image, PDF or DOCX",
      about: "The type is decided by the content. Other files are refused.",
      parameters: FILE,
    },
    "POST /workspaces/{uuid}/files/directory": {
      id: "createDirectory",
      summary: "Create one folder in an existing folder",
      parameters: {
        ...WORKSPACE,
        path: "The path of the new folder, relative to its root, separated by `/`.",
      },
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/files/move": {
      id: "moveFile",
      summary: "Move a file or folder into another folder of its root",
      parameters: WORKSPACE,
    },
  },
};
