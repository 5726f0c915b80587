import { once } from "node:events";
import WebSocket from "ws";
import { interleave, median, medianRatio, p50Of, type Row } from "../harness.ts";
import { createThread, startBoth, type Target } from "../processes.ts";

export const TURNS_ALONE = 300;
const CONNECTIONS = 20;
const TURNS_TOGETHER = 1_500;
const P50_MS_MAX = 3;
const TURNS_PER_SECOND_MIN = 500;
export const CONTENT = "Tell me, what does an echo say when no client listens to it here?";

/** An echo turn over a WebSocket, with all its frames and rows. */
export const turnRow: Row = {
  name: "Echo turn over WebSocket",
  figure: "p50 < 3 ms; ≥ 500 turns a second over 20 connections",
  async measure() {
    await using both = await startBoth();
    await turnsPerSecond(both.ours);
    await turnsPerSecond(both.floor);
    const alone = await interleave(
      () => p50Alone(both.ours),
      () => p50Alone(both.floor),
    );
    const together = await interleave(
      () => turnsPerSecond(both.ours),
      () => turnsPerSecond(both.floor),
    );
    const p50 = median(alone.ours);
    const rate = median(together.ours);
    return [
      {
        part: "p50 of one after the other",
        ours: `${p50.toFixed(2)} ms`,
        floor: `${median(alone.floor).toFixed(2)} ms`,
        ratio: medianRatio(alone).toFixed(2),
        reached: p50 < P50_MS_MAX,
      },
      {
        part: "20 connections",
        ours: `${rate.toFixed(0)} turns/s`,
        floor: `${median(together.floor).toFixed(0)} turns/s`,
        ratio: medianRatio(together).toFixed(2),
        reached: rate >= TURNS_PER_SECOND_MIN,
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

async function turnsPerSecond(target: Target): Promise<number> {
  const chats = await Promise.all(Array.from({ length: CONNECTIONS }, () => openChat(target)));
  const startedAt = performance.now();
  await Promise.all(
    chats.map(async (chat) => {
      for (let turn = 0; turn < TURNS_TOGETHER / CONNECTIONS; turn += 1) await chat.turn();
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const chat of chats) chat.close();
  return TURNS_TOGETHER / seconds;
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
