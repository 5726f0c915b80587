import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "../../shared/database.ts";
import { findTurnDetails } from "../turns/store.ts";
import type { Turn } from "../turns/wire.ts";
import { listRoots } from "../workspaces/roots.ts";
import { findWorkspace } from "../workspaces/store.ts";

/** A source of an answer, in the one form that OpenAI's chat completions know. */
export interface Citation {
  type: "url_citation";
  url_citation: { url: string; title: string; start_index: number; end_index: number };
}

/** The passages of files that stood in the requests of a turn. What was withheld has no lines, and is left out. */
export async function toCitations(
  db: Database,
  { uuid, workspaceUuid }: Turn,
  text: string,
): Promise<Citation[]> {
  const sources = (await findTurnDetails(db, uuid))?.sources ?? [];
  if (sources.length === 0) return [];
  const workspace = await findWorkspace(db, workspaceUuid);
  const roots = workspace ? listRoots(workspace) : [];
  return sources.flatMap(({ rootIndex, path, startLine, endLine, sensitive }): Citation[] => {
    const root = roots.find((each) => each.rootIndex === rootIndex)?.path;
    if (sensitive || (rootIndex !== null && root === undefined)) return [];
    const isKnown = startLine !== null && endLine !== null;
    const title = isKnown ? `${path}:${startLine}-${endLine}` : path;
    const url = pathToFileURL(root === undefined ? path : join(root, path));
    if (isKnown) url.hash = `L${startLine}-${endLine}`;
    // Where the answer names it, else at its end.
    const at = text.indexOf(title);
    const [start_index, end_index] = at < 0 ? [text.length, text.length] : [at, at + title.length];
    return [
      { type: "url_citation", url_citation: { url: url.href, title, start_index, end_index } },
    ];
  });
}
