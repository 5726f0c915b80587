import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import fsPromises, {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import path, { dirname, join } from "node:path";
import { after, type TestContext } from "node:test";
import type { RagResult } from "../../../engine/retrieval/wire.ts";
import { machineTimeSec } from "../time.ts";
import type { TestEngine } from "./engine.ts";

/** What a temporary folder is filled with: text or bytes of files, folders, and where links point to. */
export interface FolderContent {
  [name: string]: string | Uint8Array | FolderContent | Link;
}

/** A symbolic link. */
export class Link {
  readonly target: string;
  constructor(target: string) {
    this.target = target;
  }
}

/** A temporary folder that goes when its test does. */
export interface TestFolder extends AsyncDisposable {
  path: string;
  /** The absolute path of something in it. */
  at(...segments: string[]): string;
  read(relativePath: string): Promise<string>;
  /** The bytes of all files in it, one character each. */
  bytes(): Promise<string>;
  /** Everything below it, sorted; folders end in a slash, links in an at sign. */
  tree(): Promise<string[]>;
}

export async function createTestFolder(content: FolderContent = {}): Promise<TestFolder> {
  // The real path: on some systems the temporary folder lies behind a link.
  const folder = await mkdtemp(path.join(realpathSync(tmpdir()), "roundhouse-"));
  await fill(folder, content);
  return {
    path: folder,
    at: (...segments) => path.join(folder, ...segments),
    read: (relativePath) => readFile(path.join(folder, relativePath), "utf8"),
    bytes: () => readAll(folder),
    tree: () => listTree(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function fill(folder: string, content: FolderContent): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, item] of Object.entries(content)) {
    const target = path.join(folder, name);
    if (typeof item === "string" || item instanceof Uint8Array) await writeFile(target, item);
    else if (item instanceof Link) await symlink(item.target, target);
    else await fill(target, item);
  }
}

async function readAll(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map((file) => readFile(path.join(file.parentPath, file.name), "latin1"));
  return (await Promise.all(texts)).join("\n");
}

async function listTree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .map((entry) => {
      const name = path.relative(folder, path.join(entry.parentPath, entry.name));
      return name + (entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : "");
    })
    .sort();
}

/** A workspace over these roots; answers its uuid. */
export async function createWorkspaceOver(
  engine: TestEngine,
  roots: readonly string[],
): Promise<string> {
  const input = { name: "files", directories: JSON.stringify(roots) };
  const response = await engine.call("POST", "/workspaces", input);
  const { uuid } = (await response.json()) as { uuid: string };
  return uuid;
}

/** A new folder for all tests of a file, by its real path; it goes when they have ended. */
export function sharedFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "roundhouse-")));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const OTHER_ACCOUNT = 65534;

/**
 * Runs `use` without the superuser's rights. Where the tests do not run as the superuser this is the ordinary case, and
 * nothing has to change.
 */
export async function withoutSuperuser(use: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return use();
  process.setegid?.(OTHER_ACCOUNT);
  process.seteuid?.(OTHER_ACCOUNT);
  try {
    await use();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}

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

/** Nothing is asked before any operation. */
export const NOTHING_ASKED = '{"create":false,"read":false,"update":false,"delete":false}';

/** Files of a root by path; undefined takes one away. */
export type Files = Record<string, string | Uint8Array | undefined>;

/** The body of a 200. @throws with the body of any other answer. */
export async function expect200<Body>(response: Response): Promise<Body> {
  if (response.status === 200) return (await response.json()) as Body;
  throw new Error(`${response.status}: ${await response.text()}`);
}

/** A new folder for a test, by its real path. */
export function temporaryRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "roundhouse-rag-")));
}

/** Writes files of a minute ago, so that their times are old enough to be trusted. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    if (content === undefined) {
      rmSync(target);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    const then = machineTimeSec() - 60;
    utimesSync(target, then, then);
  }
}

/** The paths of results, in their order. */
export function pathsOf(results: readonly RagResult[]): string[] {
  return results.map(({ path }) => path);
}

/** Replaces a function of `node:fs/promises` until the test ends, also for modules that import it by its name. */
export function mockFsPromises<Name extends "lstat" | "open">(
  t: TestContext,
  name: Name,
  implementation: (...given: Parameters<(typeof fsPromises)[Name]>) => Promise<unknown>,
): void {
  t.mock.method(fsPromises, name, implementation);
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
}
