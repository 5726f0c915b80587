import { once } from "node:events";
import WebSocket from "ws";
import { interleave, median, medianRatio, p50Of, type Row } from "../harness.ts";
import { createThread, startBoth, type Target } from "../processes.ts";

export const TURNS_ALONE = 300;
const P50_MS_MAX = 5;
export const CONTENT = "Tell me, what does an echo say when no client listens to it here?";

/** An echo turn over a WebSocket, with all its frames and rows. */
export const turnRow: Row = {
  name: "Echo turn over WebSocket",
  figure: `p50 < ${P50_MS_MAX} ms`,
  async measure() {
    await using both = await startBoth();
    const alone = await interleave(
      () => p50Alone(both.ours),
      () => p50Alone(both.floor),
    );
    const p50 = median(alone.ours);
    return [
      {
        ours: `${p50.toFixed(2)} ms`,
        floor: `${median(alone.floor).toFixed(2)} ms`,
        ratio: medianRatio(alone).toFixed(2),
        reached: p50 < P50_MS_MAX,
      },
    ];
  },
};

/** The median time of an echo turn over a WebSocket, in milliseconds. */
export async function p50Alone(target: Target): Promise<number> {
  const chat = await openChat(target);
  const p50 = await p50Of(TURNS_ALONE, chat.turn);
  chat.close();
  return p50;
}

/** A connection with a thread of its own; `more` goes into each of its frames. */
export async function openChat(target: Target, more: { model_id?: string } = {}) {
  const headers = { Authorization: `Bearer ${target.token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${target.port}/api/v1/events`, { headers });
  await once(socket, "open");
  const thread = await createThread(target);
  let turns = 0;
  let done: () => void = () => {};
  socket.on("message", (data) => {
    const text = String(data);
    if (text.includes('"type":"chat.done"')) done();
    else if (text.includes('"type":"chat.error"')) throw new Error(text);
  });
  return {
    turn: () =>
      new Promise<void>((resolve) => {
        done = resolve;
        turns += 1;
        const frame = { content: CONTENT, thread_uuid: thread, tools_enabled: false, ...more };
        socket.send(JSON.stringify({ type: "chat.send", id: `t${turns}`, data: frame }));
      }),
    close: () => socket.terminate(),
  };
}
