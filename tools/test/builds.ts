import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OLD_BUILD_MS = 86_400_000;

/** What is built, and from what. */
interface Build {
  /** The folder in `.build`. */
  name: string;
  /** Files and folders of the repository. A change in one of them makes another build. */
  sources: readonly string[];
  /** Tells builds of the same sources apart. */
  variant?: string;
  /** Fills a folder that is not there yet. */
  make(folder: string): Promise<unknown>;
}

const builds = new Map<string, Promise<string>>();

/** Returns the folder of a build. It is made once for all processes: the folder has the hash of the sources as its name. */
export function buildOnce(build: Build): Promise<string> {
  const key = `${build.name} ${build.variant}`;
  const folder = builds.get(key) ?? findOrMake(build);
  builds.set(key, folder);
  return folder;
}

async function findOrMake({ name, sources, variant = "", make }: Build): Promise<string> {
  const parent = join(ROOT, ".build", name);
  const folder = join(parent, await hashSources(sources, variant));
  if (existsSync(folder)) return folder;
  await mkdir(parent, { recursive: true });
  await removeOldBuilds(parent);
  const own = `${folder}.${process.pid}`;
  try {
    await make(own);
    // Another process may have been faster: its build is the same.
    await rename(own, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return folder;
}

async function hashSources(sources: readonly string[], variant: string): Promise<string> {
  const hash = createHash("sha256").update(variant);
  const found = await Promise.all(["package-lock.json", ...sources].map(listFiles));
  for (const name of found.flat().sort()) {
    const text = await readFile(join(ROOT, name));
    hash.update(`${name} ${text.length}\n`).update(text);
  }
  return hash.digest("hex").slice(0, 32);
}

async function listFiles(path: string): Promise<string[]> {
  const absolute = join(ROOT, path);
  if (!(await stat(absolute)).isDirectory()) return [path];
  const entries = await readdir(absolute, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile() ? relative(ROOT, join(entry.parentPath, entry.name)) : [],
  );
}

async function removeOldBuilds(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name);
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > OLD_BUILD_MS) await rm(path, { recursive: true, force: true });
  }
}
