import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import { type FileIdentity, identityKey, isSameFile, READ_FLAGS } from "../../files/folder.ts";
import { LISTED_ROOTS_MAX } from "../limits.ts";
import { NEXT_FILE, SIDECAR_FILE } from "./folder.ts";

/** The file of the data directory that lists the indexes of this engine. */
const LIST_FILE = "indexes.json";

/** An index as its last run left it; without `closed` that run did not end. */
const ListedFile = z.object({
  device: z.string(),
  inode: z.string(),
  closed: z.object({ size: z.string(), ctimeNs: z.string() }).optional(),
});
type ListedFile = z.infer<typeof ListedFile>;
const List = z.record(z.string(), z.array(ListedFile));

/** By real path of the root. */
type List = z.infer<typeof List>;

/**
 * Which databases in `.engine` folders SQLite may open: those that this engine made. A folder that comes from elsewhere may bring
 * an index whose journal deletes files, or whose tables never end (decision E-RAG-53).
 */
export class OwnIndexes {
  readonly #path: string;

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, LIST_FILE);
  }

  /** Whether SQLite may open the index at a path: it is listed, and nothing beside it would change what SQLite reads. */
  has(path: string): boolean {
    for (;;) {
      const before = this.#filesOf(path);
      if (before.some((file) => isAsListed(path, file))) return true;
      // The indexing thread may have begun or ended a run meanwhile.
      if (JSON.stringify(this.#filesOf(path)) === JSON.stringify(before)) return false;
    }
  }

  /** Lists the file at a path before SQLite writes to it. */
  begin(path: string): void {
    this.#list(path, false);
  }

  /** Lists the file at a path as it is now, after SQLite closed it. */
  end(path: string): void {
    this.#list(path, true);
  }

  #list(path: string, isClosed: boolean): void {
    const stats = statOf(path);
    const root = rootOf(path);
    if (!stats?.isFile() || root === undefined) return;
    const { dev, ino, size, ctimeNs } = stats;
    const listed: ListedFile = { device: String(dev), inode: String(ino) };
    if (isClosed) listed.closed = { size: String(size), ctimeNs: String(ctimeNs) };
    const present = [SIDECAR_FILE, NEXT_FILE].flatMap((name) => {
      const found = statOf(join(dirname(path), name));
      return found && !isSameFile(found, stats) ? [found] : [];
    });
    const { [root]: known = [], ...others } = this.#read();
    const kept = known.filter((file) => present.some((stats) => isIdentityOf(file, stats)));
    const list = Object.entries({ ...others, [root]: [...kept, listed] });
    // The roots that were not indexed for longest go first.
    this.#write(Object.fromEntries(list.slice(-LISTED_ROOTS_MAX)));
  }

  #filesOf(path: string): ListedFile[] {
    const root = rootOf(path);
    return root === undefined ? [] : (this.#read()[root] ?? []);
  }

  #read(): List {
    try {
      return List.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch {
      // Missing or damaged: no index is known, and each root is indexed anew.
      return {};
    }
  }

  #write(list: List): void {
    const part = `${this.#path}.part`;
    rmSync(part, { force: true });
    writeFileSync(part, JSON.stringify(list), { mode: 0o600, flag: "wx" });
    renameSync(part, this.#path);
  }
}

/**
 * Renames a database with what stands beside it, unread. Of what was put aside before only the last is kept: two engines on one
 * root put each other's index aside.
 */
export function putAside(path: string, nowMs: number): void {
  const found = ["", ...BESIDE].filter((ending) => statOf(path + ending) !== undefined);
  if (found.length === 0) return;
  const folder = dirname(path);
  const isAside = new RegExp(`^${basename(path).replaceAll(".", "\\.")}\\.broken-\\d+(-[a-z]+)?$`);
  for (const name of readdirSync(folder)) {
    if (isAside.test(name) && statOf(join(folder, name))?.isFile()) rmSync(join(folder, name));
  }
  for (const ending of found) renameSync(path + ending, `${path}.broken-${nowMs}${ending}`);
}

/** Whether anything stands beside a database that SQLite would read when it opens it. */
export function hasStrayBeside(path: string, isRunOn: boolean): boolean {
  return BESIDE.some((ending) => {
    const stats = statOf(path + ending);
    if (!stats) return false;
    // The journal of a run that was ended in its middle. An index never has a write-ahead log.
    const mayBeOurs = isRunOn && ending === "-journal" && stats.isFile();
    return !mayBeOurs || namesSuperJournal(path + ending);
  });
}

const BESIDE = ["-journal", "-wal", "-shm"];

function isAsListed(path: string, { closed, ...file }: ListedFile): boolean {
  const stats = statOf(path);
  if (!stats?.isFile() || !isIdentityOf(file, stats)) return false;
  const isUnchanged =
    closed === undefined ||
    (closed.size === String(stats.size) && closed.ctimeNs === String(stats.ctimeNs));
  return isUnchanged && !hasStrayBeside(path, closed === undefined);
}

function isIdentityOf({ device, inode }: Omit<ListedFile, "closed">, stats: FileIdentity): boolean {
  return identityKey(stats) === `${device}:${inode}`;
}

// SQLite deletes the file that the end of a journal names once it has rolled the journal back.
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");
const JOURNAL_END_BYTES = 16;

function namesSuperJournal(journal: string): boolean {
  try {
    const file = openSync(journal, READ_FLAGS);
    try {
      const { size } = fstatSync(file);
      const end = Buffer.alloc(JOURNAL_END_BYTES);
      if (size < end.length) return false;
      readSync(file, end, 0, end.length, size - end.length);
      return end.subarray(-JOURNAL_MAGIC.length).equals(JOURNAL_MAGIC);
    } finally {
      closeSync(file);
    }
  } catch {
    // Gone with its run, or unreadable, which SQLite would find, too.
    return statOf(journal) !== undefined;
  }
}

function rootOf(path: string): string | undefined {
  try {
    return realpathSync.native(dirname(dirname(path)));
  } catch {
    return undefined;
  }
}

// Never opens the database itself: closing another descriptor of it would release the locks of this process (POSIX).
function statOf(path: string) {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}
