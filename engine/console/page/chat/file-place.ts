import type { FilePlace } from "./file-change.ts";

/** Where the engine reads a file of a workspace. */
interface RootPlace {
  rootIndex: number;
  path: string;
}

/** The place of a file in the roots of a workspace; undefined if it is in none of them. */
export function findPlace(
  { root, path }: FilePlace,
  roots: readonly string[],
): RootPlace | undefined {
  if (root !== undefined) return { rootIndex: root, path };
  const rootIndex = roots.findIndex((it) => path.startsWith(withSeparator(it)));
  const found = roots[rootIndex];
  if (found === undefined) return undefined;
  return { rootIndex, path: path.slice(withSeparator(found).length).replaceAll("\\", "/") };
}

function withSeparator(root: string): string {
  if (root.endsWith("/") || root.endsWith("\\")) return root;
  return root.includes("\\") ? `${root}\\` : `${root}/`;
}
