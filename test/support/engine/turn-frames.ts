import type { ReceivedFrame } from "./socket.ts";

/** The types of the frames, and of the events of the graph in them. */
export const graph = (frames: ReceivedFrame[]) =>
  frames.map(({ type, data }) => (type === "agui.event" ? data.type : type));
