import type { Batch } from "../../shared/batch.ts";
import type { Message } from "../messages/wire.ts";

/** A turn that another program asks for with a client key, and what it adds to the turn. */
export interface ClientOrigin {
  key: { uuid: string; name: string };
  /** Added to the instructions of the turn. */
  instructions: string;
  /**
   * Adds what is stored before the user message to its batch. Returns a function for the messages among it, to be called after
   * the batch has run.
   */
  addTo(batch: Batch, place: { threadUuid: string; now: string }): () => Message[];
}
