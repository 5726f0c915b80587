import type { ModelAttachment, ModelMessage } from "../models/language-model.ts";
import type { EndedCall } from "./tool-record.ts";

/** Images that tools of one turn gave, on their way to the model. Further ones are dropped if they take too much together. */
export class ToolImages {
  #bytesLeft: number;
  #waiting: ModelAttachment[] = [];

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax;
  }

  add({ toolName, end }: EndedCall): void {
    if (end.status !== "completed") return;
    for (const [at, { mediaType, bytes }] of (end.images ?? []).entries()) {
      if (bytes.length > this.#bytesLeft) continue;
      this.#bytesLeft -= bytes.length;
      this.#waiting.push({ name: `${toolName}-${at + 1}`, mediaType, bytes });
    }
  }

  /** The images of the last step as one message; none if there are none. */
  take(): ModelMessage[] {
    const attachments = this.#waiting;
    this.#waiting = [];
    if (attachments.length === 0) return [];
    return [{ role: "user", content: "The images that the tools returned:", attachments }];
  }
}
