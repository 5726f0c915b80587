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
      about: "A search visits at most 25,000 files of each root.",
      parameters: {
        ...WORKSPACE,
        q: "A part of the name or path, compared without case; empty matches every file.",
        limit: "How many matches at most: 1 to 50, by default 20. Other numbers are clamped.",
      },
    },
    "GET /workspaces/{uuid}/files": {
      id: "listFiles",
      summary: "List the files and folders of a folder",
      about: "Subfolders are entries of the list; their contents are not listed.",
      parameters: {
        ...WORKSPACE,
        path: "The path of the folder, relative to its root; empty is the root itself.",
      },
    },
    "GET /workspaces/{uuid}/files/content": {
      id: "getFile",
      summary: "Get the text of a file",
      about: "UTF-8 of at most 1,000,000 bytes.",
      parameters: FILE,
    },
    "POST /workspaces/{uuid}/files/content": {
      id: "createFile",
      summary: "Create a text file in an existing folder",
      about: "An existing file is not replaced: 409.",
      parameters: FILE,
    },
    "PUT /workspaces/{uuid}/files/content": {
      id: "updateFile",
      summary: "Replace the text of an existing file",
      about:
        "The file is replaced as a whole, or not at all; its mode stays. Its old content may have any size and encoding. The new one has at most 1,000,000 bytes.",
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
      about: "Missing parent folders are not created. An existing name is 409.",
      parameters: {
        ...WORKSPACE,
        path: "The path of the new folder, relative to its root, separated by `/`.",
      },
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/files/move": {
      id: "moveFile",
      summary: "Move a file or folder into another folder of its root",
      about: "Nothing is replaced: 409 where the destination has an entry of this name.",
      parameters: WORKSPACE,
    },
  },
  schemas: {
    FileSearchMatch: {
      about: "A file that was found.",
      fields: {
        rootIndex: "The position of its root in `directories`, from 0.",
        name: "The name of the file.",
        relativePath: "The path relative to its root, separated by `/`.",
      },
    },
    FileEntry: {
      about: "A file or folder.",
      fields: {
        name: "Its name.",
        relativePath: "The path relative to its root, separated by `/`.",
        isDirectory: "Whether it is a folder.",
      },
    },
    FileContent: {
      about: "The text of a file.",
      fields: {
        content: "The text, at most 1,000,000 bytes of UTF-8.",
      },
    },
    MovePath: {
      about: "A file or folder, and its new folder; both are in the same root.",
      fields: {
        sourceRootIndex: "The position of the root of the file or folder, from 0.",
        sourcePath: "The path of the file or folder, relative to its root.",
        destinationRootIndex: "The position of the root of the destination, from 0.",
        destinationPath:
          "The path of an existing folder, relative to its root; empty is the root itself.",
      },
    },
  },
};
