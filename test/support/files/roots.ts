import { realpathSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestEngine } from "../engine/engine.ts";

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
