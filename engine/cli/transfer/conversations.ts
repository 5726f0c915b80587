import { CommandFailed } from "../../../shared/cli/output.ts";
import type { CreateMessage } from "../../client/client.ts";

/** What an import makes: workspaces with their threads and messages, in order. */
export interface ImportedWorkspace {
  name: string;
  description: string | null;
  threads: ImportedThread[];
}

export interface ImportedThread {
  title: string | null;
  messages: ImportedMessage[];
}

export type ImportedMessage = Pick<CreateMessage, "role" | "content">;

/** A file that cannot be imported, with the place in it. */
export function notImportable(where: string, reason: string): CommandFailed {
  return new CommandFailed(`${where}: ${reason} Nothing was imported.`);
}
