import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

/** A new folder for all tests of a file, by its real path; it goes when they have ended. */
export function folderOfTests(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "roundhouse-")));
  after(() => rmSync(folder, { recursive: true }));
  return folder;
}
