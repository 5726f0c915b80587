import { interleave, median, medianRatio, type Row } from "../harness.ts";
import { requestBytes, requestsPerSecond } from "../http-load.ts";
import { callTarget, createThreads, startBoth, type Target } from "../processes.ts";

const MESSAGES = 100;
const CONTENT = "What the engine answers is read again and again. ".repeat(6);

interface Shape {
  name: string;
  ratioMin: number;
  connections: number;
  requests: number;
  /** How many threads the workspace has; one where it is left out. */
  threads?: number;
  request(thread: string, workspace: string): { method: string; path: string; body?: string };
}

const shapes: Shape[] = [
  {
    name: "GET 100 messages",
    ratioMin: 0.7,
    connections: 8,
    requests: 4_000,
    request: (thread) => ({ method: "GET", path: `/threads/${thread}/messages` }),
  },
  {
    name: "GET one thread",
    ratioMin: 0.4,
    connections: 8,
    requests: 10_000,
    request: (thread) => ({ method: "GET", path: `/threads/${thread}` }),
  },
  {
    name: "list 10,000 threads",
    ratioMin: 0.5,
    connections: 2,
    requests: 20,
    threads: 10_000,
    request: (_, workspace) => ({ method: "GET", path: `/workspaces/${workspace}/threads` }),
  },
  {
    name: "POST a message, 16 connections",
    ratioMin: 1.2,
    connections: 16,
    requests: 3_000,
    request: (threadUuid) => ({
      method: "POST",
      path: "/messages",
      body: JSON.stringify({ threadUuid, role: "user", content: CONTENT }),
    }),
  },
];

/** Requests a second of the engine, in those of the floor. */
export const requestRows: Row[] = shapes.map((shape) => ({
  name: shape.name,
  figure: `requests a second ≥ ${shape.ratioMin} of the floor's`,
  async measure() {
    await using both = await startBoth();
    const ours = await prepare(both.ours, shape);
    const floor = await prepare(both.floor, shape);
    await Promise.all([ours(), floor()]);
    const measured = await interleave(ours, floor, 7);
    const ratio = medianRatio(measured);
    return [
      {
        ours: `${median(measured.ours).toFixed(0)}/s`,
        floor: `${median(measured.floor).toFixed(0)}/s`,
        ratio: ratio.toFixed(2),
        reached: ratio >= shape.ratioMin,
      },
    ];
  },
}));

async function prepare(target: Target, shape: Shape): Promise<() => Promise<number>> {
  const { workspace, thread } = await createThreads(target, shape.threads ?? 1);
  const message = { threadUuid: thread, role: "user", content: CONTENT };
  for (let at = 0; at < MESSAGES; at += 1) await callTarget(target, "POST", "/messages", message);
  const { method, path, body } = shape.request(thread, workspace);
  const { port, connections, requests } = { ...target, ...shape };
  const request = requestBytes(method, path, { ...target, body });
  return () => requestsPerSecond({ port, request, connections, requests });
}
