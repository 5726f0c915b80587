import { CommandFailed } from "../../shared/cli/output.ts";
import { makePrivateFile } from "../../shared/node/new-private-file.ts";
import { copyDatabase } from "./admin-store.ts";
import type { Target } from "./target.ts";

/**
 * Copies the embedded database into a new file, as of one moment, also while a server writes. The file gets its name when it is
 * complete, and never replaces another one.
 * @throws CommandFailed where there is no embedded file, or the new one cannot be made.
 */
export async function backUp({ db, filePath, place }: Target, to: string): Promise<string> {
  if (filePath === undefined) {
    throw new CommandFailed(`${place} is a server: use its own backups.`);
  }
  return makePrivateFile(to, (part) => copyDatabase(db, part));
}
