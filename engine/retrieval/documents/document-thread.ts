import { parentPort } from "node:worker_threads";
import type { DocumentKind } from "./document-kind.ts";
import { readDocumentText } from "./document-text.ts";

/** What the thread is asked: the text of one document at a time. */
export interface DocumentAsk {
  kind: DocumentKind;
  bytes: Uint8Array;
}

/** What it answers. */
export type DocumentRead =
  | { kind: "text"; pages: string[] }
  /** The document is to blame: it would fail again. */
  | { kind: "failed"; reason: string };

// The thread that reads documents of unknown origin. It may be ended at any moment.
parentPort?.on("message", async ({ kind, bytes }: DocumentAsk) => {
  parentPort?.postMessage(await read(kind, bytes));
});

async function read(kind: DocumentKind, bytes: Uint8Array): Promise<DocumentRead> {
  try {
    return { kind: "text", pages: await readDocumentText(kind, bytes) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : "The document is damaged.";
    return { kind: "failed", reason };
  }
}
