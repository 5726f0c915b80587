import type { BigIntStats, Dirent } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../files/protected.ts";
import { type HeldFolder, holdFolder, readFileWithin } from "../../files/within-sync.ts";
import { WALK_DEPTH_MAX, WALK_FILES_MAX } from "../../limits.ts";
import {
  hasTooManyRules,
  IGNORE_FILES,
  IgnoreRules,
  isGeneratedFile,
  isSkippedFolder,
} from "../ignored.ts";
import { isSensitiveFolder, isSensitivePath } from "../sensitive.ts";
import { decodeText } from "../text/decode.ts";
import { OwnFiles } from "./own-files.ts";

const IGNORE_FILE_BYTES_MAX = 1_000_000;

/** An entry that a walk found. Paths are relative to the root, with `/`. */
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

/** Options of a walk. */
export interface WalkOptions {
  /**
   * A folder that is left out with all below, by its real path: the engine's own data directory. A hard link to one of its
   * files is left out as well.
   */
  without: string | undefined;
  /** Called with the path of an ignore file of which not all rules are obeyed. */
  onTooManyRules(path: string): void;
}

/**
 * All files that the index is to know of, in the order of their names. Links are never followed, nor looked at. The root is
 * given as its real path.
 */
export function* walkRoot(root: string, options: WalkOptions): Generator<Found, void> {
  if (options.without !== undefined && isWithin(options.without, root)) return;
  const waiting: Folder[] = [{ path: "", depth: 0, rules: new IgnoreRules(), sensitive: false }];
  const progress = { files: 0, own: new OwnFiles(options.without) };
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const below = yield* walkFolder(root, folder, progress, options);
    waiting.push(...below.reverse());
  }
}

/** Yields the entries of one folder; returns its subfolders. */
function* walkFolder(
  root: string,
  folder: Folder,
  progress: { files: number; readonly own: OwnFiles },
  { without, onTooManyRules }: WalkOptions,
): Generator<Found, Folder[]> {
  const opened = holdFolder(root, folder.path);
  if (opened === "gone") return [];
  if (opened === "unreadable") {
    yield { kind: "unreadable", path: folder.path };
    return [];
  }
  using held = opened;
  const texts = ignoreTexts(root, folder.path, held.entries);
  for (const { path, text } of texts) if (hasTooManyRules(text)) onTooManyRules(path);
  const rules = folder.rules.within(
    folder.path,
    texts.map(({ text }) => text),
  );
  const below: Folder[] = [];
  for (const entry of held.entries) {
    if (entry.isDirectory()) {
      if (join(root, folder.path, entry.name) === without) continue;
      const next = enter(entry.name, { ...folder, rules });
      if (next === "too-deep") yield { kind: "skipped" };
      else if (next) below.push(next);
      continue;
    }
    const found = meet(held, entry.name, { ...folder, rules });
    if (!found || (found.kind === "file" && progress.own.has(found.stats))) continue;
    progress.files += 1;
    yield progress.files > WALK_FILES_MAX ? { kind: "skipped" } : found;
  }
  return below;
}

function ignoreTexts(
  root: string,
  folder: string,
  entries: readonly Dirent[],
): { path: string; text: string }[] {
  return IGNORE_FILES.filter((name) => entries.some((entry) => entry.name === name)).flatMap(
    (name) => {
      const path = folder + name;
      const read = readFileWithin(root, path, IGNORE_FILE_BYTES_MAX);
      const text = read.kind === "bytes" ? decodeText(read.bytes) : undefined;
      return text === undefined ? [] : { path, text };
    },
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
function meet(held: HeldFolder, name: string, folder: Folder): Found | undefined {
  const path = folder.path + name;
  const sensitive = folder.sensitive || isSensitivePath(path);
  if (!sensitive && (isGeneratedFile(name) || folder.rules.ignores(path))) return undefined;
  const stats = held.stat(name);
  // A name that is no UTF-8 comes with a replacement character, and nothing is found under it.
  if (!stats) return name.includes("\uFFFD") ? { kind: "skipped" } : undefined;
  return stats.isFile() ? { kind: "file", path, stats, sensitive } : undefined;
}
