import { type Attachment, checkSizes, type Issues } from "./attachments.ts";
import { LABEL_CHARACTERS_MAX } from "./limits.ts";

/** A file that a turn refers to. It need not exist until a tool reads it (Engine §4, file context rule 4). */
export interface ContextFile {
  rootIndex: number;
  path: string;
  label: string;
}

export interface FileContext {
  activeFile: ContextFile | undefined;
  taggedFiles: readonly ContextFile[];
  attachments: readonly Attachment[];
  /** Whether the client named none: a message that replaces another one then keeps those of it. */
  keepsAttachments: boolean;
}

export const EMPTY_FILE_CONTEXT: FileContext = {
  activeFile: undefined,
  taggedFiles: [],
  attachments: [],
  keepsAttachments: true,
};

interface ContextFileInput {
  root_index: number;
  path: string;
  label?: unknown;
}

/** A label that is blank or not a string is replaced by the path (Engine §4, file context rule 2). */
export function toContextFile({ root_index, path, label }: ContextFileInput): ContextFile {
  const isLabel = typeof label === "string" && label.trim() !== "";
  return { rootIndex: root_index, path, label: isLabel ? cutLabel(label) : path };
}

interface FileContextInput {
  active_file?: ContextFile | null;
  tagged_files?: ContextFile[] | null;
  attachments?: Attachment[] | null;
}

/** Keeps the first tagged file of each root and path (Engine §4, file context rule 1). */
export function toFileContext(input: FileContextInput, issues: Issues): FileContext {
  const attachments = input.attachments ?? [];
  checkSizes(attachments, issues);
  return {
    activeFile: input.active_file ?? undefined,
    taggedFiles: withoutRepeats(input.tagged_files ?? []),
    attachments,
    keepsAttachments: input.attachments == null,
  };
}

/** All files that the turn refers to, each once: the active one, then the tagged ones. */
export function referredFiles({ activeFile, taggedFiles }: FileContext): ContextFile[] {
  return withoutRepeats([...(activeFile ? [activeFile] : []), ...taggedFiles]);
}

function withoutRepeats(files: readonly ContextFile[]): ContextFile[] {
  const known = new Set<string>();
  return files.filter(({ rootIndex, path }) => {
    const key = `${rootIndex}:${path}`;
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}

function cutLabel(label: string): string {
  if (label.length <= LABEL_CHARACTERS_MAX) return label;
  const start = Array.from(label.slice(0, LABEL_CHARACTERS_MAX * 2));
  return start.slice(0, LABEL_CHARACTERS_MAX).join("");
}
