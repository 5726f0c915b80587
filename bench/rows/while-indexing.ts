import { rmSync } from "node:fs";
import { besideRest, type Row } from "../harness.ts";
import { latencies, requestBytes } from "../http-load.ts";
import { callTarget, startEngine } from "../processes.ts";
import { createRoot, createWorkspaceOver } from "../roots.ts";

const FILES = 10_000;
const REQUESTS = 500;
const WARM_UP = 8;
const RATIO_MAX = 1.3;
const TEXT = "A client that waits for an answer must not wait for an index... ".repeat(12);

/** What a request costs while a large root is indexed; its floor is the same request at rest. */
export const whileIndexingRow: Row = {
  name: "GET one thread while 10,000 files are indexed",
  figure: "p50 ≤ 1.3 of idle",
  async measure() {
    const root = createRoot(FILES, TEXT);
    await using target = await startEngine();
    const workspaceUuid = await createWorkspaceOver(target, root);
    const thread = await callTarget<{ uuid: string }>(target, "POST", "/threads", {
      workspaceUuid,
    });
    const request = requestBytes("GET", `/threads/${thread.uuid}`, target);
    const some = () => latencies({ port: target.port, request, requests: REQUESTS });
    for (let at = 0; at < WARM_UP; at += 1) await some();
    const atRest = [...(await some()), ...(await some()), ...(await some())];
    let indexed = false;
    const indexing = callTarget(target, "POST", `/workspaces/${workspaceUuid}/rag/index`).then(
      () => {
        indexed = true;
      },
    );
    const beside: number[] = [];
    while (!indexed) beside.push(...(await some()));
    await indexing;
    rmSync(root, { recursive: true });
    return besideRest([{ beside, atRest }], RATIO_MAX);
  },
};
