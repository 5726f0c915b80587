import { z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { ignoredBody } from "../http/ignored-body.ts";
import { get, post, put } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import { uuidParam } from "../http/wire.ts";
import { listUsableRoots, resolveRoot } from "../workspaces/roots.ts";
import { getWorkspace } from "../workspaces/store.ts";
import { createDirectory, listDirectory } from "./directory.ts";
import { listLocalFolders } from "./local-folders.ts";
import { moveEntry } from "./move.ts";
import { startPreview } from "./preview.ts";
import { listProtectedPlaces, withholdProtected } from "./protected.ts";
import { searchFiles } from "./search.ts";
import { createText, readText, replaceText } from "./text.ts";
import {
  FileContent,
  FileEntry,
  FileSearchMatch,
  FolderQuery,
  LocalFolderQuery,
  LocalFolders,
  MovePath,
  NewFolderQuery,
  PathQuery,
  SearchQuery,
} from "./wire.ts";
import type { FileRoot } from "./within.ts";

const WorkspaceParam = uuidParam("the workspace");

const PREVIEW_BYTES = { schema: { type: "string" as const, format: "binary" } };

interface FileRef {
  uuid: string;
  rootIndex: number;
  path: string;
}

/** Workspace files (Engine §4), without the engine's own data (decision E-FILES-22). */
export function fileRoutes({ db, config }: Pick<EngineDeps, "db" | "config">) {
  const { dataDirectory } = config;
  const at = async <Result>(
    { uuid, rootIndex, path }: FileRef,
    act: (root: FileRoot, path: string) => Promise<Result>,
  ) => {
    const root = await resolveRoot(await getWorkspace(db, uuid), rootIndex);
    return act({ ...root, judge: withholdProtected(dataDirectory) }, path);
  };
  return createRouter({ details: true, tag: "files" }, [
    get("/local-folders", {
      operationId: "listLocalFolders",
      summary: "List the folders in a folder of this machine",
      description: "For a person who chooses a root: names of folders alone, without links.",
      request: { query: LocalFolderQuery },
      responses: { ...ok(LocalFolders), ...errors(400, 403, 404) },
      handler: async ({ path }) => listLocalFolders(path, withholdProtected(dataDirectory)),
    }),
    get("/workspaces/{uuid}/files/search", {
      operationId: "searchFiles",
      summary: "Find files of all roots by name or path",
      description: "A search visits at most 25,000 files of each root.",
      request: { params: WorkspaceParam, query: SearchQuery },
      responses: { ...ok(z.array(FileSearchMatch)), ...errors(400, 404) },
      handler: async ({ uuid, q, limit }, c) => {
        const usable = await listUsableRoots(await getWorkspace(db, uuid));
        const judge = withholdProtected(dataDirectory);
        const without = await listProtectedPlaces(dataDirectory);
        const roots = usable.map((root) => ({ ...root, judge, without }));
        const { signal } = c.req.raw;
        const found = searchFiles(roots, { query: q, limit }, signal);
        return found.catch(rethrowFor(signal));
      },
    }),
    get("/workspaces/{uuid}/files", {
      operationId: "listFiles",
      summary: "List the files and folders of a folder",
      description: "Subfolders are entries of the list; their contents are not listed.",
      request: { params: WorkspaceParam, query: FolderQuery },
      responses: { ...ok(z.array(FileEntry)), ...errors(400, 403, 404) },
      handler: (folder) => at(folder, listDirectory),
    }),
    get("/workspaces/{uuid}/files/content", {
      operationId: "getFile",
      summary: "Get the text of a file",
      description: "UTF-8 of at most 1,000,000 bytes.",
      request: { params: WorkspaceParam, query: PathQuery },
      responses: { ...ok(FileContent), ...errors(400, 403, 404) },
      handler: (file) => at(file, readText),
    }),
    get("/workspaces/{uuid}/files/preview", {
      operationId: "previewFile",
      summary: "Get the bytes of an image, PDF or DOCX",
      description: "The type is decided by the content. Other files are refused.",
      request: { params: WorkspaceParam, query: PathQuery },
      responses: {
        200: {
          description: "Success",
          headers: {
            "X-Preview-Kind": { schema: { type: "string", enum: ["image", "pdf", "docx"] } },
          },
          content: {
            "image/*": PREVIEW_BYTES,
            "application/pdf": PREVIEW_BYTES,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document":
              PREVIEW_BYTES,
          },
        },
        ...errors(400, 403, 404),
      },
      handler: async (file, c) => {
        const { signal } = c.req.raw;
        const preview = await at(file, (root, path) =>
          startPreview(root, path, signal).catch(rethrowFor(signal)),
        );
        return c.body(preview.body, 200, preview.headers);
      },
    }),
    post("/workspaces/{uuid}/files/content", {
      operationId: "createFile",
      summary: "Create a text file in an existing folder",
      description: "An existing file is not replaced: 409.",
      request: { params: WorkspaceParam, query: PathQuery, ...body(FileContent) },
      responses: { ...ok(FileContent), ...errors(400, 403, 404, 409) },
      handler: ({ body, ...file }) =>
        at(file, (root, path) => createText(root, path, body.content)),
    }),
    put("/workspaces/{uuid}/files/content", {
      operationId: "updateFile",
      summary: "Replace the text of an existing file",
      description:
        "The file is replaced as a whole, or not at all; its mode stays. Its old content may have any size and encoding. The new one has at most 1,000,000 bytes.",
      request: { params: WorkspaceParam, query: PathQuery, ...body(FileContent) },
      responses: { ...ok(FileContent), ...errors(400, 403, 404) },
      handler: ({ body, ...file }) =>
        at(file, (root, path) => replaceText(root, path, body.content)),
    }),
    post("/workspaces/{uuid}/files/directory", {
      operationId: "createDirectory",
      summary: "Create one folder in an existing folder",
      description: "Missing parent folders are not created. An existing name is 409.",
      request: { params: WorkspaceParam, query: NewFolderQuery, ...ignoredBody },
      responses: { ...ok(FileEntry), ...errors(400, 403, 404, 409) },
      handler: (folder) => at(folder, createDirectory),
    }),
    post("/workspaces/{uuid}/files/move", {
      operationId: "moveFile",
      summary: "Move a file or folder into another folder of its root",
      description: "Nothing is replaced: 409 where the destination has an entry of this name.",
      request: { params: WorkspaceParam, ...body(MovePath) },
      responses: { ...ok(FileEntry), ...errors(400, 403, 404, 409) },
      handler: async ({ uuid, body }) =>
        moveEntry(await getWorkspace(db, uuid), body, withholdProtected(dataDirectory)),
    }),
  ]);
}

/** The client disconnected: answer with a plain 400. `signal.reason` may not be an Error, so it is not rethrown. */
function rethrowFor(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    throw signal.aborted ? invalid("The request was cancelled.") : error;
  };
}
