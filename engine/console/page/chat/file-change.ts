/** What a call of a file tool does to the text of a file. */
export interface FileChange {
  /** In a root of the workspace, or by an absolute path (`root` is undefined). */
  place: { root: number | undefined; path: string };
  /** The text that is there; undefined if the whole file is replaced. */
  before: string | undefined;
  after: string;
  /** The arguments that the change does not show. */
  others: Readonly<Record<string, unknown>>;
}

const TOOL = /^(create|replace|edit)_(workspace_)?file$/;

/** The change of a call; undefined if the tool changes no text. Its arguments are the model's: nothing is sure. */
export function fileChangeOf(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): FileChange | undefined {
  const [, kind, isInWorkspace] = TOOL.exec(toolName) ?? [];
  const { path, root_index } = args;
  const root = isInWorkspace && typeof root_index === "number" ? root_index : undefined;
  if (!kind || typeof path !== "string" || (isInWorkspace && root === undefined)) return undefined;
  const place = { root, path };
  if (kind === "edit") {
    const { old_text: before, new_text: after, ...others } = args;
    if (typeof before !== "string" || typeof after !== "string") return undefined;
    return { place, before, after, others };
  }
  const { content: after, ...others } = args;
  if (typeof after !== "string") return undefined;
  return { place, before: kind === "create" ? "" : undefined, after, others };
}

/** Where the engine reads the file, in the roots of a workspace; undefined if it is in none of them. */
export function findPlace({ root, path }: FileChange["place"], roots: readonly string[]) {
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
