import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { interleave, median, medianRatio, type Row } from "../harness.ts";
import { requestBytes } from "../http-load.ts";
import {
  callTarget,
  cpuMs,
  createThread,
  residentMib,
  startBoth,
  type Target,
} from "../processes.ts";

const SUBSCRIBERS = 1_000;
const BURST = 20;
const BURSTS = 30;
const RATIO_MAX = 0.3;
const MICROSECONDS = 1_000;

/** One event to a thousand subscribers, twenty events at a time. */
export const streamRow: Row = {
  name: "SSE, 1,000 subscribers, bursts of 20",
  figure: `CPU per delivery ≤ ${RATIO_MAX} of the floor's`,
  async measure() {
    await using both = await startBoth();
    const ours = await subscribe(both.ours);
    const floor = await subscribe(both.floor);
    const measured = await interleave(ours.bursts, floor.bursts);
    ours.close();
    floor.close();
    const ratio = medianRatio(measured);
    const peak = (target: Target) => `${residentMib(target.pid, "VmHWM").toFixed(0)} MiB at most`;
    const cost = (values: number[]) => `${median(values).toFixed(2)} µs`;
    return [
      {
        ours: `${cost(measured.ours)}, ${peak(both.ours)}`,
        floor: `${cost(measured.floor)}, ${peak(both.floor)}`,
        ratio: ratio.toFixed(2),
        reached: ratio <= RATIO_MAX,
      },
    ];
  },
};

async function subscribe(target: Target) {
  const thread = await createThread(target);
  const request = requestBytes("GET", "/stream", target);
  let delivered = 0;
  let expected = Number.POSITIVE_INFINITY;
  let arrived: () => void = () => {};
  const sockets: Socket[] = [];
  for (let at = 0; at < SUBSCRIBERS; at += 1) {
    const socket = connect(target.port, "127.0.0.1");
    socket.write(request);
    await once(socket, "data");
    socket.on("data", (chunk) => {
      delivered += eventsIn(chunk);
      if (delivered >= expected) arrived();
    });
    sockets.push(socket);
  }
  const message = { threadUuid: thread, role: "user", content: "An event for all clients." };
  return {
    /** CPU of the server for one delivery, in microseconds. */
    async bursts(): Promise<number> {
      const before = cpuMs(target.pid);
      for (let burst = 0; burst < BURSTS; burst += 1) {
        expected = delivered + BURST * SUBSCRIBERS;
        const all = new Promise<void>((resolve) => {
          arrived = resolve;
        });
        await Promise.all(
          Array.from({ length: BURST }, () => callTarget(target, "POST", "/messages", message)),
        );
        await all;
      }
      const deliveries = BURSTS * BURST * SUBSCRIBERS;
      return ((cpuMs(target.pid) - before) * MICROSECONDS) / deliveries;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function eventsIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf("data: "); at >= 0; at = chunk.indexOf("data: ", at + 1)) count += 1;
  return count;
}
