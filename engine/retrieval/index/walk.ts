import { type BigIntStats, type Dirent, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { identityKey } from "../../files/folder.ts";
import { PROTECTED_ENTRIES_MAX } from "../../files/limits.ts";
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

const IGNORE_FILE_BYTES_MAX = 1_000_000;

/** An entry of a walk. Paths are relative to the root, with `/`. */
type Found = FoundFile | NoFile;

/** A regular file. */
export interface FoundFile {
  kind: "file";
  path: string;
  stats: BigIntStats;
  sensitive: boolean;
}

type NoFile =
  /** Too deep, too many, or a name that is not valid Unicode. */
  | { kind: "skipped" }
  /** A folder whose content is unknown; ends in `/`, the root is empty. `blocked`: an ignore file of it blocked the thread. */
  | { kind: "unreadable"; path: string; blocked: boolean };

/** A folder that is held until the walk goes on, with the files that no rule hides. */
interface OpenFolder {
  kind: "folder";
  /** Empty for the root, else ends in `/`. */
  path: string;
  held: HeldFolder;
  files: readonly Candidate[];
}

/** The name of a file, which may be a link or a device. */
interface Candidate {
  name: string;
  path: string;
  sensitive: boolean;
  /** The type in the directory entry. */
  isFile: boolean;
}

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
  /** Marks that the rules of an ignore file are at work: see `IndexHeartbeat`. */
  mark?: Mark;
  /** Whether an ignore file blocked the thread before; what its rules would hide is not known, so its folder is not read. */
  hasFailed?(path: string, stats: BigIntStats): boolean;
}

/**
 * All files for the index, sorted by name. Links are ignored. The root is a real path.
 */
export function* walkRoot(root: string, options: WalkOptions): Generator<Found, void> {
  const isOwn = ownFiles(options.without);
  let files = 0;
  for (const entry of walkFolders(root, options)) {
    if (entry.kind !== "folder") {
      yield entry;
      continue;
    }
    for (const candidate of entry.files) {
      const found = inspect(entry.held, candidate);
      if (!found || (found.kind === "file" && isOwn(found.stats))) continue;
      files += 1;
      yield files > WALK_FILES_MAX ? { kind: "skipped" } : found;
    }
  }
}

/** All folders that a run reads. The root is a real path. */
export function* walkFolders(
  root: string,
  options: WalkOptions,
): Generator<OpenFolder | NoFile, void> {
  if (options.without !== undefined && isWithin(options.without, root)) return;
  const waiting: Folder[] = [
    { path: "", depth: 0, rules: new IgnoreRules(options.mark), sensitive: false },
  ];
  for (let folder = waiting.pop(); folder; folder = waiting.pop()) {
    const below = yield* walkFolder(root, folder, options);
    waiting.push(...below.reverse());
  }
}

/** Yields one folder; returns its subfolders. */
function* walkFolder(
  root: string,
  folder: Folder,
  options: WalkOptions,
): Generator<OpenFolder | NoFile, Folder[]> {
  const { path } = folder;
  const opened = holdFolder(root, path);
  if (opened === "gone") return [];
  if (opened === "unreadable") {
    yield { kind: "unreadable", path, blocked: false };
    return [];
  }
  using held = opened;
  const rules = rulesWithin(root, folder, held, options);
  if (rules === "blocked") {
    yield { kind: "unreadable", path, blocked: true };
    return [];
  }
  const files: Candidate[] = [];
  const below: Folder[] = [];
  for (const entry of held.entries) {
    if (!entry.isDirectory()) {
      const candidate = admitFile(entry, { ...folder, rules });
      if (candidate) files.push(candidate);
      continue;
    }
    if (join(root, path, entry.name) === options.without) continue;
    const next = enterFolder(entry.name, { ...folder, rules });
    if (next === "too-deep") yield { kind: "skipped" };
    else if (next) below.push(next);
  }
  yield { kind: "folder", path, held, files };
  return below;
}

/** The rules of a folder; "blocked" where one of its ignore files blocked the thread before. */
function rulesWithin(
  root: string,
  { path: folder, rules }: Folder,
  held: HeldFolder,
  { hasFailed, onTooManyRules }: WalkOptions,
): IgnoreRules | "blocked" {
  const files: IgnoreFile[] = [];
  for (const name of IGNORE_FILES) {
    if (!held.entries.some((entry) => entry.name === name)) continue;
    const path = folder + name;
    const stats = hasFailed && held.stat(name);
    if (stats && hasFailed(path, stats)) return "blocked";
    const read = readFileWithin(root, path, IGNORE_FILE_BYTES_MAX);
    const text = read.kind === "bytes" ? decodeText(read.bytes) : undefined;
    if (text !== undefined) files.push({ path, text });
  }
  for (const { path, text } of files) if (hasTooManyRules(text)) onTooManyRules(path);
  return rules.within(folder, files);
}

/** A subfolder, before its own rules are read; undefined if the rules leave it out. */
function enterFolder(name: string, parent: Folder): Folder | "too-deep" | undefined {
  const path = `${parent.path}${name}/`;
  if (isSkippedFolder(name)) return undefined;
  const sensitive = parent.sensitive || isSensitiveFolder(name);
  if (!sensitive && parent.rules.ignores(path)) return undefined;
  if (parent.depth + 1 > WALK_DEPTH_MAX) return "too-deep";
  return { path, depth: parent.depth + 1, rules: parent.rules, sensitive };
}

/** A file that the rules do not hide. Sensitive names are checked first: an ignored .env is indexed as existing. */
function admitFile(entry: Dirent, folder: Folder): Candidate | undefined {
  const { name } = entry;
  const path = folder.path + name;
  const sensitive = folder.sensitive || isSensitivePath(path);
  if (!sensitive && (isGeneratedFile(name) || folder.rules.ignores(path))) return undefined;
  return { name, path, sensitive, isFile: entry.isFile() };
}

function inspect(held: HeldFolder, { name, path, sensitive }: Candidate): Found | undefined {
  const stats = held.stat(name);
  // A name that is not UTF-8 has a replacement character, and does not lead to its file.
  if (!stats) return name.includes("\uFFFD") ? { kind: "skipped" } : undefined;
  return stats.isFile() ? { kind: "file", path, stats, sensitive } : undefined;
}

/**
 * Recognizes hard links to a folder's files. Opens none of them: closing another descriptor of a database releases its locks
 * (POSIX).
 */
function ownFiles(folder: string | undefined): (stats: BigIntStats) => boolean {
  const identities = new Set<string>();
  for (const path of folder === undefined ? [] : pathsBelow(folder)) {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (stats?.isFile()) identities.add(identityKey(stats));
  }
  // Most files have one name and need no check.
  return (stats) => stats.nlink > 1n && identities.has(identityKey(stats));
}

function pathsBelow(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return names.slice(0, PROTECTED_ENTRIES_MAX).map((name) => join(folder, name));
  } catch {
    // The folder is missing or unreadable: none of its files is known.
    return [];
  }
}
