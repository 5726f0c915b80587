import { fromUtf8 } from "../../shared/bytes.ts";
import type { WorkspaceRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, invalid } from "../errors.ts";
import { withholdProtected } from "../files/protected.ts";
import { readBytes } from "../files/text.ts";
import { INSTRUCTIONS_BYTES_MAX } from "../limits.ts";
import { listUsableRoots } from "../workspaces/roots.ts";
import { FOLDERS_NAMED_MAX } from "./limits.ts";

const NAME = "AGENTS.md";

/** A file with instructions for agents. */
export interface AgentsFile {
  /** The folder that it is for. */
  root: string;
  text: string;
}

/**
 * The files of the workspace's roots as they are now, never through a link. `onLeftOut` is called with a sentence for each that
 * is there and cannot be used.
 */
export async function readAgentsFiles(
  { config }: Pick<EngineDeps, "config">,
  workspace: WorkspaceRow,
  onLeftOut: (sentence: string) => void,
): Promise<AgentsFile[]> {
  if (!workspace.useAgentsFile) return [];
  const judge = withholdProtected(config.dataDirectory);
  const files: AgentsFile[] = [];
  for (const { path } of (await listUsableRoots(workspace)).slice(0, FOLDERS_NAMED_MAX)) {
    try {
      const bytes = await readBytes({ path, judge }, NAME, INSTRUCTIONS_BYTES_MAX);
      files.push({ root: path, text: toText(bytes) });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.code === "not_found") continue;
      onLeftOut(`${NAME} of ${path} was left out: ${error.message}`);
    }
  }
  return files;
}

function toText(bytes: Uint8Array | undefined): string {
  if (!bytes) throw invalid("It is larger than 32 KiB.");
  try {
    return fromUtf8(bytes);
  } catch {
    throw invalid("It is not UTF-8 text.");
  }
}
