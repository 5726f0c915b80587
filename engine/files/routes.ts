import { createRoute, z } from "@hono/zod-openapi";
import { body, errors, ok } from "../../shared/http/responses.ts";
import type { EngineDeps } from "../deps.ts";
import { invalid } from "../errors.ts";
import { createRouter } from "../http/router.ts";
import { UuidParam } from "../http/wire.ts";
import { listUsableRoots, resolveRoot } from "../workspaces/roots.ts";
import { getWorkspace } from "../workspaces/store.ts";
import { createDirectory, listDirectory } from "./directory.ts";
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
  MovePath,
  PathQuery,
  SearchQuery,
} from "./wire.ts";

const getSearch = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/files/search",
  request: { params: UuidParam, query: SearchQuery },
  responses: { ...ok(z.array(FileSearchMatch)), ...errors(400, 404) },
});

const getFiles = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/files",
  request: { params: UuidParam, query: FolderQuery },
  responses: { ...ok(z.array(FileEntry)), ...errors(400, 403, 404) },
});

const getContent = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/files/content",
  request: { params: UuidParam, query: PathQuery },
  responses: { ...ok(FileContent), ...errors(400, 403, 404) },
});

const PREVIEW_BYTES = { schema: { type: "string" as const, format: "binary" } };

const getPreview = createRoute({
  method: "get",
  path: "/workspaces/{uuid}/files/preview",
  request: { params: UuidParam, query: PathQuery },
  responses: {
    200: {
      description: "Success",
      headers: { "X-Preview-Kind": { schema: { type: "string", enum: ["image", "pdf", "docx"] } } },
      content: {
        "image/*": PREVIEW_BYTES,
        "application/pdf": PREVIEW_BYTES,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": PREVIEW_BYTES,
      },
    },
    ...errors(400, 403, 404),
  },
});

const postContent = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/files/content",
  request: { params: UuidParam, query: PathQuery, ...body(FileContent) },
  responses: { ...ok(FileContent), ...errors(400, 403, 404, 409) },
});

const putContent = createRoute({
  method: "put",
  path: "/workspaces/{uuid}/files/content",
  request: { params: UuidParam, query: PathQuery, ...body(FileContent) },
  responses: { ...ok(FileContent), ...errors(400, 403, 404) },
});

const postDirectory = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/files/directory",
  request: { params: UuidParam, query: PathQuery },
  responses: { ...ok(FileEntry), ...errors(400, 403, 404, 409) },
});

const postMove = createRoute({
  method: "post",
  path: "/workspaces/{uuid}/files/move",
  request: { params: UuidParam, ...body(MovePath) },
  responses: { ...ok(FileEntry), ...errors(400, 403, 404, 409) },
});

interface Place {
  rootIndex: number;
  path: string;
}

/** Workspace files (Engine §4), without the engine's own data (decision E-FILES-22). */
export function fileRoutes({ db, config }: Pick<EngineDeps, "db" | "config">) {
  const { dataDirectory } = config;
  const locate = async ({ uuid }: { uuid: string }, { rootIndex, path }: Place) => {
    const root = await resolveRoot(await getWorkspace(db, uuid), rootIndex);
    return { root: { ...root, judge: withholdProtected(dataDirectory) }, path };
  };
  return createRouter({ details: true })
    .openapi(getSearch, async (c) => {
      const { q, limit } = c.req.valid("query");
      const usable = await listUsableRoots(await getWorkspace(db, c.req.valid("param").uuid));
      const judge = withholdProtected(dataDirectory);
      const without = await listProtectedPlaces(dataDirectory);
      const roots = usable.map((root) => ({ ...root, judge, without }));
      const { signal } = c.req.raw;
      const found = searchFiles(roots, { query: q, limit }, signal);
      return c.json(await found.catch(rethrowFor(signal)), 200);
    })
    .openapi(getFiles, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      return c.json(await listDirectory(root, path), 200);
    })
    .openapi(getContent, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      return c.json(await readText(root, path), 200);
    })
    .openapi(getPreview, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      const { signal } = c.req.raw;
      const preview = await startPreview(root, path, signal).catch(rethrowFor(signal));
      return c.body(preview.body, 200, preview.headers);
    })
    .openapi(postContent, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      return c.json(await createText(root, path, c.req.valid("json").content), 200);
    })
    .openapi(putContent, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      return c.json(await replaceText(root, path, c.req.valid("json").content), 200);
    })
    .openapi(postDirectory, async (c) => {
      const { root, path } = await locate(c.req.valid("param"), c.req.valid("query"));
      return c.json(await createDirectory(root, path), 200);
    })
    .openapi(postMove, async (c) => {
      const workspace = await getWorkspace(db, c.req.valid("param").uuid);
      return c.json(
        await moveEntry(workspace, c.req.valid("json"), withholdProtected(dataDirectory)),
        200,
      );
    });
}

/** The client disconnected: answer with a plain 400. `signal.reason` may not be an Error, so it is not rethrown. */
function rethrowFor(signal: AbortSignal): (error: unknown) => never {
  return (error) => {
    throw signal.aborted ? invalid("The request was cancelled.") : error;
  };
}
