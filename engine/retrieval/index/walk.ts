import type { BigIntStats, Dirent } from "node:fs";
import { join } from "node:path";
import { isWithin } from "../../files/protected.ts";
import { type HeldFolder, holdFolder, readFileWithin } from "../../files/within-sync.ts";
import {
  hasTooManyRules,
  IGNORE_FILES,
  type IgnoreFile,
  IgnoreRules,
  isGeneratedFile,
  isSkippedFolder,
  type Mark,
} from "../ignored.ts";
import { WALK_DEPTH_MAX, WALK_FILES_MAX } from "../limits.ts";
import { isSensitiveFolder, isSensitivePath } from "../sensitive.ts";
import { decodeText } from "../text/decode.ts";
import { OwnFiles } from "./own-files.ts";

const IGNORE_FILE_BYTES_MAX = 1_000_000;

/** An entry of a walk. Paths are relative to the root, with `/`. */
export type Found =
  | { kind: "file"; path: string; stats: BigIntStats; sensitive: boolean }
  /** Too deep, too many, or a name that is not valid Unicode. */
  | { kind: "skipped" }
  /** A folder that could not be read; its content is unknown. */
  | { kind: "unreadable"; path: string };

interface Folder {
  /** Empty for the root, else ends in `/`. */
  path: string;
  depth: number;
  rules: IgnoreRules;
  /** All files below are sensitive; ignore rules do not hide their existence. */
  sensitive: boolean;
}

/** Options of a walk. */
export interface WalkOptions {
  /**
   * The real path of a folder to leave out: the engine's own data directory. Hard links to its files are left out, too.
   */
  without: string | undefined;
  /** Called with the path of an ignore file with too many rules. */
  onTooManyRules(path: string): void;
  /** Marks that the rules of an ignore file are at work: see `FileInWork`. */
  mark?: Mark;
  /** Whether an ignore file blocked the thread before; what its rules would hide is not known, so its folder is not read. */
  hasFailed?(path: string, stats: BigIntStats): boolean;
}

/**
 * All files for the index, sorted by name. Links are ignored. The root is a real path.
 */
export function* walkRoot(root: string, options: WalkOptions): Generator<Found, void> {
  if (options.without !== undefined && isWithin(options.without, root)) return;
  const waiting: Folder[] = [
    { path: "", depth: 0, rules: new IgnoreRules(options.mark), sensitive: false },
  ];
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
  { without, onTooManyRules, hasFailed }: WalkOptions,
): Generator<Found, Folder[]> {
  const opened = holdFolder(root, folder.path);
  if (opened === "gone") return [];
  if (opened === "unreadable") {
    yield { kind: "unreadable", path: folder.path };
    return [];
  }
  using held = opened;
  const failed = IGNORE_FILES.some((name) => {
    const stats = hasFailed && held.stat(name);
    return stats && hasFailed(folder.path + name, stats);
  });
  if (failed) {
    yield { kind: "unreadable", path: folder.path };
    return [];
  }
  const files = readIgnoreFiles(root, folder.path, held.entries);
  for (const { path, text } of files) if (hasTooManyRules(text)) onTooManyRules(path);
  const rules = folder.rules.within(folder.path, files);
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

function readIgnoreFiles(root: string, folder: string, entries: readonly Dirent[]): IgnoreFile[] {
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

// Sensitive names are checked first: an ignored .env is indexed as existing.
function meet(held: HeldFolder, name: string, folder: Folder): Found | undefined {
  const path = folder.path + name;
  const sensitive = folder.sensitive || isSensitivePath(path);
  if (!sensitive && (isGeneratedFile(name) || folder.rules.ignores(path))) return undefined;
  const stats = held.stat(name);
  // A name that is not UTF-8 has a replacement character, and does not lead to its file.
  if (!stats) return name.includes("\uFFFD") ? { kind: "skipped" } : undefined;
  return stats.isFile() ? { kind: "file", path, stats, sensitive } : undefined;
}
