import type { ToolSpec } from "../models/language-model.ts";
import type { BroadcastFrame, CorrelatedFrame } from "./frames.ts";

/** The connection that a turn runs for, as chat sees it. */
export interface Peer {
  /** Sends one frame; nothing once the connection is gone. */
  send(frame: CorrelatedFrame): void;
  /** Undefined where the reader keeps up; else resolves once it has caught up, or is gone. */
  caughtUp(): Promise<void> | undefined;
  /** Tells all registered clients but this one (Engine §6, cross-client broadcasts). */
  broadcast(frame: BroadcastFrame): void;
  /** The UI tools that this connection has registered by now. */
  uiTools(): readonly ToolSpec[];
}
