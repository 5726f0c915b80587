import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../env.ts";

/** The properties of this machine that replace unset variables; tests pass their own. */
export interface Machine {
  platform: NodeJS.Platform;
  home: string;
}

/** The properties of this machine. */
export function thisMachine(): Machine {
  return { platform: process.platform, home: homedir() };
}

/** The folder `name` in the data directory of the platform. */
export function defaultDataDirectory(
  name: string,
  env: Environment,
  { platform, home }: Machine,
): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), name);
  return join(env.XDG_DATA_HOME || join(home, ".local", "share"), name);
}
