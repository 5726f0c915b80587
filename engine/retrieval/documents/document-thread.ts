import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import type { DocumentKind } from "./document-kind.ts";
import type { DocumentText } from "./document-page.ts";
import { readDocumentText } from "./document-text.ts";

/** A request to the thread: extract the text of one document. */
export interface DocumentAsk {
  kind: DocumentKind;
  bytes: Uint8Array;
}

/** The response. */
export type DocumentRead =
  | ({ kind: "text" } & DocumentText)
  /** The document itself cannot be read; a retry would fail as well. */
  | { kind: "failed"; reason: string };

// The thread that reads untrusted documents. It can be terminated at any moment. Searches and requests go first: Linux has a
// priority for each thread (0 is this one); elsewhere the call would concern the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

parentPort?.on("message", async ({ kind, bytes }: DocumentAsk) => {
  parentPort?.postMessage(await read(kind, bytes));
});

async function read(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentRead> {
  try {
    return { kind: "text", ...(await readDocumentText(kind, bytes)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "The document is damaged.";
    return { kind: "failed", reason };
  }
}
