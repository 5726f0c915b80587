import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callTarget, type Target } from "./processes.ts";

const FILES_PER_FOLDER = 100;

/** A new folder with so many Markdown files, a hundred in each of its folders. Each has a title of its own above `text`. */
export function createRoot(files: number, text: string): string {
  const root = mkdtempSync(join(tmpdir(), "roundhouse-root-"));
  for (let at = 0; at < files; at += 1) {
    const folder = join(root, `folder-${Math.floor(at / FILES_PER_FOLDER)}`);
    if (at % FILES_PER_FOLDER === 0) mkdirSync(folder);
    writeFileSync(join(folder, `file-${at}.md`), `# File ${at}\n\n${text}\n`);
  }
  return root;
}

/** The uuid of a new workspace over one root. */
export async function createWorkspaceOver(target: Target, root: string): Promise<string> {
  const directories = JSON.stringify([root]);
  const body = { name: "bench", directories };
  const { uuid } = await callTarget<{ uuid: string }>(target, "POST", "/workspaces", body);
  return uuid;
}
