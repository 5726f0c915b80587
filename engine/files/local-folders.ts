import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, sep } from "node:path";
import { systemErrorCode } from "../../shared/system-error.ts";
import { forbidden, invalid, notFound } from "../errors.ts";
import { toAbsolutePath } from "../workspaces/roots.ts";
import { listDirectory } from "./directory.ts";
import { LOCAL_FOLDERS_MAX } from "./limits.ts";
import type { Judge } from "./protected.ts";
import type { LocalFolders } from "./wire.ts";

/**
 * The folders in a folder of this machine, by name, for a person who chooses one. Hidden and protected ones are left out, and
 * nothing but folders is named. `~` is the home folder.
 * @throws EngineError `invalid` for a relative path or a file, `forbidden`, `not_found`
 */
export async function listLocalFolders(written: string, judge: Judge): Promise<LocalFolders> {
  const absolute = toAbsolutePath(written.replace(/^~(?=$|[/\\])/, homedir()));
  if (absolute === undefined) {
    throw invalid("The request is not valid.", "path: must be an absolute path, or begin with ~");
  }
  const path = await realpath(absolute).catch(rethrowMissing);
  if (path.split(sep).some(isHidden)) throw forbidden("Hidden folders are not listed.");
  const entries = await listDirectory({ path, judge }, "");
  const folders: LocalFolders["folders"] = [];
  for (const { name, isDirectory } of entries) {
    if (!isDirectory || isHidden(name) || folders.length === LOCAL_FOLDERS_MAX) continue;
    const folder = { name, path: join(path, name) };
    if (await isWithheld(judge, folder.path)) continue;
    folders.push(folder);
  }
  return { path, parent: dirname(path) === path ? null : dirname(path), folders };
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

async function isWithheld(judge: Judge, path: string): Promise<boolean> {
  return judge({ path }).then(
    () => false,
    () => true,
  );
}

function rethrowMissing(error: unknown): never {
  const code = systemErrorCode(error);
  if (code === "ENOENT" || code === "ENOTDIR") throw notFound("Path");
  if (code === "EACCES" || code === "EPERM") throw forbidden("The folder cannot be read.");
  throw error;
}
