import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { WALK_DEPTH_MAX, WALK_FILES_MAX } from "../../limits.ts";
import { codeOf } from "../failures.ts";
import { IGNORE_FILES, IgnoreRules, isGeneratedFile, isSkippedFolder } from "../ignored.ts";
import { isSensitiveFolder, isSensitivePath } from "../sensitive.ts";
import { readSmallFile } from "./open-file.ts";

/** What a walk meets. Paths are relative to the root, with `/`. */
export type Found =
  | { kind: "file"; path: string; stats: BigIntStats; sensitive: boolean }
  /** Too deep, too many, or a name that no text can hold. */
  | { kind: "skipped" }
  /** A folder that could not be read: nothing is known of what is below it. */
  | { kind: "unreadable"; path: string };

interface Folder {
  /** Empty for the root, else ends in `/`. */
  path: string;
  depth: number;
  rules: IgnoreRules;
  /** All files below are sensitive ones; ignore rules do not hide that they exist. */
  sensitive: boolean;
}

/** All files that the index is to know of, in the order of their names. Links are never followed, nor looked at. */
export function* walkRoot(root: string): Generator<Found, void> {
  const waiting: Folder[] = [{ path: "", depth: 0, rules: new IgnoreRules(), sensitive: false }];
  let files = 0;
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const entries = entriesOf(root, folder.path);
    if (entries === "gone") continue;
    if (entries === "unreadable") {
      yield { kind: "unreadable", path: folder.path };
      continue;
    }
    const rules = folder.rules.within(folder.path, ignoreTexts(root, folder.path, entries));
    const below: Folder[] = [];
    for (const entry of entries) {
      const path = folder.path + entry.name;
      if (entry.isDirectory()) {
        const next = enter(entry.name, { ...folder, rules });
        if (next === "too-deep") yield { kind: "skipped" };
        else if (next) below.push(next);
        continue;
      }
      const found = meet(root, path, { ...folder, rules });
      if (!found) continue;
      files++;
      yield files > WALK_FILES_MAX ? { kind: "skipped" } : found;
    }
    waiting.push(...below.reverse());
  }
}

function entriesOf(root: string, folder: string): Dirent[] | "gone" | "unreadable" {
  try {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  } catch (error) {
    // Only the root must be there: it was a moment ago. Below it, folders come and go.
    return folder !== "" && /^(ENOENT|ENOTDIR)$/.test(codeOf(error)) ? "gone" : "unreadable";
  }
}

function ignoreTexts(root: string, folder: string, entries: readonly Dirent[]): string[] {
  return IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name)).flatMap(
    (name) => readSmallFile(root, folder + name) ?? [],
  );
}

function enter(name: string, parent: Folder): Folder | "too-deep" | undefined {
  const path = `${parent.path}${name}/`;
  if (isSkippedFolder(name)) return undefined;
  const sensitive = parent.sensitive || isSensitiveFolder(name);
  if (!sensitive && parent.rules.ignores(path)) return undefined;
  if (parent.depth + 1 > WALK_DEPTH_MAX) return "too-deep";
  return { path, depth: parent.depth + 1, rules: parent.rules, sensitive };
}

// Sensitive names come first: that an ignored .env exists is worth knowing.
function meet(root: string, path: string, folder: Folder): Found | undefined {
  const sensitive = folder.sensitive || isSensitivePath(path);
  const name = path.slice(folder.path.length);
  if (!sensitive && (isGeneratedFile(name) || folder.rules.ignores(path))) return undefined;
  const stats = lstatSync(join(root, path), { bigint: true, throwIfNoEntry: false });
  // A name that is no UTF-8 comes with a replacement character, and nothing is found under it.
  if (!stats) return name.includes("\uFFFD") ? { kind: "skipped" } : undefined;
  return stats.isFile() ? { kind: "file", path, stats, sensitive } : undefined;
}
