import type { ToolSpec } from "../models/language-model.ts";
import type { BroadcastFrame, CorrelatedFrame } from "./frames.ts";

/** The connection that a turn runs for, as chat sees it. */
export interface Peer {
  /** Sends one frame; does nothing once the connection is closed. */
  send(frame: CorrelatedFrame): void;
  /** Undefined if the reader keeps up; else resolves once it has caught up or disconnected. */
  caughtUp(): Promise<void> | undefined;
  /** Sends to all registered clients but this one (Engine §6, cross-client broadcasts). */
  broadcast(frame: BroadcastFrame): void;
  /** The UI tools that this connection has registered so far. */
  uiTools(): readonly ToolSpec[];
}
