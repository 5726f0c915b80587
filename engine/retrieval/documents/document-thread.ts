import { constants, setPriority } from "node:os";
import { serveThread } from "../thread.ts";
import type { DocumentKind } from "./document-kind.ts";
import type { DocumentText } from "./document-page.ts";
import { readDocumentText } from "./document-text.ts";

/** A request to the thread: extract the text of one document. */
export interface DocumentRequest {
  kind: DocumentKind;
  bytes: Uint8Array;
}

/** The response. */
export type DocumentRead =
  | ({ kind: "text" } & DocumentText)
  /** The document itself cannot be read; a retry would fail as well. */
  | { kind: "failed"; reason: string };

/** The calls that the thread serves. */
export interface DocumentCalls {
  read(request: DocumentRequest): Promise<DocumentRead>;
}

// The thread that reads untrusted documents. It can be terminated at any moment. Searches and requests go first: Linux has a
// priority for each thread (0 is this one); elsewhere the call would concern the whole process.
if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

serveThread({ read } satisfies DocumentCalls);

async function read({ kind, bytes }: DocumentRequest): Promise<DocumentRead> {
  try {
    return { kind: "text", ...(await readDocumentText(kind, bytes)) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "The document is damaged.";
    return { kind: "failed", reason };
  }
}
