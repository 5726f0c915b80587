import type { TestEngine } from "../engine/engine.ts";

/** One operation on one path of a root. */
export interface PathCall {
  name: string;
  /** Whether an empty path means the root rather than nothing. */
  rootAllowed: boolean;
  /** A path that it would take where something of that path is there, or for creates is not. */
  call(engine: TestEngine, uuid: string, path: string): Promise<Response>;
}

/** The address of a file operation. */
export function filesPath(
  uuid: string,
  operation: string,
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams(query).toString();
  return `/workspaces/${uuid}/files${operation}${search === "" ? "" : `?${search}`}`;
}

const CONTENT = { content: "new" };

/** Every operation that takes a path; the two paths of a move count as two. */
export const PATH_CALLS: readonly PathCall[] = [
  {
    name: "list",
    rootAllowed: true,
    call: (engine, uuid, path) => engine.call("GET", filesPath(uuid, "", at(path))),
  },
  {
    name: "read",
    rootAllowed: false,
    call: (engine, uuid, path) => engine.call("GET", filesPath(uuid, "/content", at(path))),
  },
  {
    name: "preview",
    rootAllowed: false,
    call: (engine, uuid, path) => engine.call("GET", filesPath(uuid, "/preview", at(path))),
  },
  {
    name: "create",
    rootAllowed: false,
    call: (engine, uuid, path) =>
      engine.call("POST", filesPath(uuid, "/content", at(path)), CONTENT),
  },
  {
    name: "replace",
    rootAllowed: false,
    call: (engine, uuid, path) =>
      engine.call("PUT", filesPath(uuid, "/content", at(path)), CONTENT),
  },
  {
    name: "mkdir",
    rootAllowed: false,
    call: (engine, uuid, path) => engine.call("POST", filesPath(uuid, "/directory", at(path))),
  },
  {
    name: "move from",
    rootAllowed: false,
    call: (engine, uuid, path) =>
      engine.call("POST", filesPath(uuid, "/move"), move(path, "folder")),
  },
  {
    name: "move to",
    rootAllowed: true,
    call: (engine, uuid, path) =>
      engine.call("POST", filesPath(uuid, "/move"), move("file.txt", path)),
  },
];

function at(path: string): Record<string, string> {
  return { rootIndex: "0", path };
}

/** A move within root 0. */
export function move(sourcePath: string, destinationPath: string) {
  return { sourceRootIndex: 0, sourcePath, destinationRootIndex: 0, destinationPath };
}
