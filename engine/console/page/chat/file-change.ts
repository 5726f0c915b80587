/** What a call of a file tool does to the text of a file. */
export type FileChange =
  | { kind: "create"; place: FilePlace; after: string }
  | { kind: "replace"; place: FilePlace; after: string }
  | { kind: "edit"; place: FilePlace; before: string; after: string };

/** Where the file is: in a root of the workspace, or by an absolute path (`root` is undefined). */
export interface FilePlace {
  root: number | undefined;
  path: string;
}

const TOOL = /^(create|replace|edit)_(?:workspace_)?file$/;

/** The change of a call; undefined if the tool changes no text. Its arguments are the model's: nothing is sure. */
export function fileChangeOf(
  toolName: string,
  args: Readonly<Record<string, unknown>>,
): FileChange | undefined {
  const [, kind] = TOOL.exec(toolName) ?? [];
  const { path, root_index, content, old_text, new_text } = args;
  if (typeof path !== "string") return undefined;
  const isInWorkspace = toolName.includes("_workspace_");
  if (isInWorkspace && typeof root_index !== "number") return undefined;
  const place = { root: isInWorkspace ? Number(root_index) : undefined, path };
  if (kind === "edit") {
    if (typeof old_text !== "string" || typeof new_text !== "string") return undefined;
    return { kind, place, before: old_text, after: new_text };
  }
  if ((kind !== "create" && kind !== "replace") || typeof content !== "string") return undefined;
  return { kind, place, after: content };
}

/** The arguments that the change does not show. */
export function otherArguments(
  change: FileChange,
  args: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const shown = change.kind === "edit" ? ["old_text", "new_text"] : ["content"];
  return Object.fromEntries(Object.entries(args).filter(([name]) => !shown.includes(name)));
}
