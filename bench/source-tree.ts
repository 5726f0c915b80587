import { copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url));
const EXTENSIONS = new Set([".ts", ".mts", ".js", ".mjs", ".md"]);
const FILE_BYTES_MIN = 1_000;
const FILE_BYTES_MAX = 60_000;

/**
 * Copies source and documentation of the installed packages until there are this many files of together this many bytes. The
 * same packages give the same tree.
 */
export function copySources(
  folder: string,
  wanted: { files: number; bytes: number },
): { files: number; bytes: number } {
  const copied = { files: 0, bytes: 0 };
  for (const path of sourcesBelow(MODULES, "")) {
    if (copied.files === wanted.files) break;
    const size = statSync(join(MODULES, path)).size;
    // Large ones only while the average has room for them.
    const room = (wanted.bytes - copied.bytes) / (wanted.files - copied.files);
    if (size < FILE_BYTES_MIN || size > Math.min(FILE_BYTES_MAX, room * 4)) continue;
    if (size < room / 3) continue;
    // `build`, `dist` and the like would be left out of an index, and these files are wanted in it.
    const target = join(
      folder,
      path.replaceAll(/(^|\/)(build|dist|bin|obj|vendor|target)(?=\/)/g, "$1$2_"),
    );
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(MODULES, path), target);
    copied.files += 1;
    copied.bytes += size;
  }
  return copied;
}

function* sourcesBelow(root: string, folder: string): Generator<string> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && !entry.name.startsWith("."))
        yield* sourcesBelow(root, path);
    } else if (EXTENSIONS.has(extname(path)) && !/\.min\.|\.map$/.test(path)) yield path;
  }
}
