import { CommandFailed } from "../../../shared/cli/output.ts";
import { parseJson } from "../../../shared/json.ts";
import type { EngineClient } from "../../client/client.ts";
import { openRegularFile, rethrowUnreadable } from "../input.ts";
import { IMPORT_BYTES_MAX, IMPORTED_MESSAGES_MAX } from "../limits.ts";
import { parseChatgptExport } from "./chatgpt-export.ts";
import { type ImportedWorkspace, parseOwnExport } from "./own-export.ts";

/** Reads a file of either kind, whole. @throws CommandFailed if it is neither, or too large */
export async function readImport(path: string): Promise<ImportedWorkspace[]> {
  const text = await readBounded(path);
  const first = text.trimStart()[0];
  const value = first === "[" ? parseJson(text) : undefined;
  if (first === "[" && !Array.isArray(value)) {
    throw new CommandFailed(`${path} is not JSON, or was cut off. Nothing was imported.`);
  }
  const read = Array.isArray(value) ? parseChatgptExport(value) : parseOwnExport(text);
  if (countAll(read).messages > IMPORTED_MESSAGES_MAX) {
    throw new CommandFailed(`${path} has more than ${IMPORTED_MESSAGES_MAX} messages.`);
  }
  return read;
}

export function countAll(workspaces: readonly ImportedWorkspace[]) {
  const threads = workspaces.flatMap((workspace) => workspace.threads);
  const messages = threads.reduce((sum, thread) => sum + thread.messages.length, 0);
  return { workspaces: workspaces.length, threads: threads.length, messages };
}

/**
 * Makes new workspaces of what was read. A failure or an interruption removes them again.
 * @throws EngineError
 */
export async function storeImport(
  engine: EngineClient,
  workspaces: readonly ImportedWorkspace[],
  { onMessage, ...call }: { signal: AbortSignal; onMessage(): void },
): Promise<void> {
  const made: string[] = [];
  try {
    for (const { name, description, threads } of workspaces) {
      const { uuid: workspaceUuid } = await engine.workspaces.create({ name, description }, call);
      made.push(workspaceUuid);
      for (const { title, messages } of threads) {
        const { uuid: threadUuid } = await engine.threads.create({ workspaceUuid, title }, call);
        for (const message of messages) {
          await engine.messages.create({ threadUuid, ...message }, call);
          onMessage();
        }
      }
    }
  } catch (error) {
    for (const uuid of made) await engine.workspaces.delete(uuid);
    throw error;
  }
}

async function readBounded(path: string): Promise<string> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > IMPORT_BYTES_MAX) {
    throw new CommandFailed(`${path} is larger than ${IMPORT_BYTES_MAX} bytes.`);
  }
  return await file.readFile("utf8").catch((error) => rethrowUnreadable(path, error));
}
