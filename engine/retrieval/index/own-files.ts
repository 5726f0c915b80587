import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { identityKey } from "../../files/folder.ts";
import { PROTECTED_ENTRIES_MAX } from "../../files/limits.ts";

/** The identities of a folder's files, by which hard links to them are recognized. */
export class OwnFiles {
  readonly #identities = new Set<string>();

  /** Opens nothing: closing another descriptor of a database releases its locks (POSIX). */
  constructor(folder: string | undefined) {
    for (const path of folder === undefined ? [] : pathsBelow(folder)) {
      const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
      if (stats?.isFile()) this.#identities.add(identityKey(stats));
    }
  }

  has(stats: BigIntStats): boolean {
    // Most files have one name and need no check.
    return stats.nlink > 1n && this.#identities.has(identityKey(stats));
  }
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
