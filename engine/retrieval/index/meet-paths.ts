import { join } from "node:path";
import { isWithin } from "../../files/protected.ts";
import { holdFolder } from "../../files/within-sync.ts";
import { IgnoreRules } from "../ignored.ts";
import { admitFile, enterFolder, type Folder, rulesWithin, type WalkOptions } from "./walk.ts";

/** What a walk would find at a path. */
export interface Met {
  /** Relative to the root. */
  path: string;
  /** `hidden`: the rules leave it out. `absent`: nothing that a walk looks at. */
  kind: "folder" | "file" | "sensitive" | "hidden" | "absent";
}

/** What a walk would find at single paths, without walking the rest. The root is a real path. */
export function* meetPaths(
  root: string,
  paths: readonly string[],
  options: WalkOptions,
): Generator<Met, void> {
  const isOwn = options.without !== undefined && isWithin(options.without, root);
  const folders = new Map<string, Folder | "hidden" | "absent">();
  if (isOwn) folders.set("", "hidden");
  for (const [folder, names] of byFolder(paths)) {
    const parent = reach(root, folder, { folders, options });
    const held = typeof parent === "string" ? parent : holdFolder(root, folder);
    if (typeof parent === "string" || typeof held === "string") {
      const kind = parent === "hidden" ? "hidden" : "absent";
      yield* names.map((name) => ({ path: folder + name, kind }) as const);
      continue;
    }
    using open = held;
    for (const name of names) {
      const stats = open.stat(name);
      const path = folder + name;
      if (stats?.isDirectory()) {
        const isEntered = typeof enterFolder(name, parent) === "object";
        // Not hidden: a file of this name may follow.
        yield { path, kind: isEntered ? "folder" : "absent" };
      } else if (stats?.isFile()) {
        const admitted = admitFile({ name, isFile: () => true }, parent);
        const kind = admitted?.sensitive ? "sensitive" : "file";
        yield { path, kind: admitted ? kind : "hidden" };
      } else yield { path, kind: "absent" };
    }
  }
}

interface Reached {
  folders: Map<string, Folder | "hidden" | "absent">;
  options: WalkOptions;
}

/** The folder with its rules, where a walk reaches it. */
function reach(root: string, path: string, reached: Reached): Folder | "hidden" | "absent" {
  const known = reached.folders.get(path);
  if (known !== undefined) return known;
  const found = open(root, path, reached);
  reached.folders.set(path, found);
  return found;
}

function open(root: string, path: string, reached: Reached): Folder | "hidden" | "absent" {
  const { options } = reached;
  let folder: Folder = {
    path: "",
    depth: 0,
    rules: new IgnoreRules(options.mark),
    sensitive: false,
  };
  if (path !== "") {
    if (join(root, path) === join(options.without ?? "", "/")) return "hidden";
    const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1, -1);
    const parent = reach(root, path.slice(0, -name.length - 1), reached);
    if (typeof parent === "string") return parent;
    const entered = enterFolder(name, parent);
    if (typeof entered !== "object") return "hidden";
    folder = entered;
  }
  const held = holdFolder(root, path);
  if (typeof held === "string") return "absent";
  using _ = held;
  const rules = rulesWithin(root, folder, held, options);
  return rules === "blocked" ? "absent" : { ...folder, rules };
}

/** Names by the path of their folder. */
function byFolder(paths: readonly string[]): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const written of paths) {
    const path = written.endsWith("/") ? written.slice(0, -1) : written;
    const nameAt = path.lastIndexOf("/") + 1;
    const folder = path.slice(0, nameAt);
    const names = folders.get(folder) ?? [];
    folders.set(folder, names);
    names.push(path.slice(nameAt));
  }
  return folders;
}
