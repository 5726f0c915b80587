import path, { type PlatformPath } from "node:path";
import { FILE_PATH_CHARACTERS_MAX } from "../limits.ts";

/**
 * The normalised form of an absolute path, else undefined. Removes a trailing separator, since `lstat("link/")` follows the
 * link. On Windows a path without a drive or share depends on the current drive and counts as relative.
 */
export function toAbsolutePath(written: string, platform: PlatformPath = path): string | undefined {
  if (written.length > FILE_PATH_CHARACTERS_MAX || written.includes("\0")) return undefined;
  if (!platform.isAbsolute(written)) return undefined;
  if (platform.sep === "\\" && platform.parse(written).root.length < "C:\\".length)
    return undefined;
  return platform.resolve(written);
}
