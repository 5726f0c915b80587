import type { RagConfig, Workspace } from "../../../client/client.ts";

/** The roots of a workspace; none if the field holds anything but a list of paths. */
export function pathsOf({ directories }: Pick<Workspace, "directories">): string[] {
  return Array.isArray(directories) ? directories.filter((path) => typeof path === "string") : [];
}

/** The last part of a path: what a person calls the folder. */
export function baseName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}

/** `ragConfig` with other choices for one root; choices of other roots and unknown fields stay. */
export function withRootChoice(
  config: Workspace["ragConfig"],
  path: string,
  choice: { enabled?: boolean; watch?: boolean },
): RagConfig {
  const known: RagConfig = config && !("malformed" in config) ? config : {};
  const roots = Array.isArray(known.roots) ? known.roots : [];
  const before = roots.find((root) => root.path === path);
  const others = roots.filter((root) => root.path !== path);
  return { ...known, roots: [...others, { ...before, path, ...choice }] };
}

/** Whether `ragConfig` says that the index follows the files of a root. */
export function isWatched(config: Workspace["ragConfig"], path: string): boolean {
  if (!config || "malformed" in config || !Array.isArray(config.roots)) return false;
  return config.roots.some((root) => root.path === path && root.watch === true);
}
