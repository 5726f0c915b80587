import { WALK_FILES_MAX, WATCHED_FOLDERS_MAX } from "../limits.ts";
import type { IndexRun } from "./index-run.ts";
import { type WalkOptions, walkFolders } from "./walk.ts";

/** What a run is about to read, found without opening or inspecting a file. */
interface Survey {
  files: number;
  /** Relative to the root; each ends in `/`, the root is empty. */
  folders: string[];
}

/** The quick count before a run, so that its share is known from the start. */
export async function surveyRoot(run: IndexRun, options: WalkOptions): Promise<Survey> {
  const survey: Survey = { files: 0, folders: [] };
  for (const entry of walkFolders(run.realRoot, options)) {
    await run.slices.rest();
    if (entry.kind !== "folder") continue;
    // One more than can be watched says that there are too many.
    if (survey.folders.length <= WATCHED_FOLDERS_MAX) survey.folders.push(entry.path);
    for (const { isFile } of entry.files) if (isFile) survey.files += 1;
  }
  survey.files = Math.min(survey.files, WALK_FILES_MAX);
  return survey;
}
