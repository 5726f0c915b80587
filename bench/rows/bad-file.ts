import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nestedForms } from "../../test/support/files/bombs.ts";
import { besideRest, type Round, type Row } from "../harness.ts";
import { latencies, requestBytes } from "../http-load.ts";
import { callTarget, startEngine } from "../processes.ts";
import { createRoot, createWorkspaceOver } from "../roots.ts";

const FILES = 300;
const REQUESTS = 40;
const ROUNDS = 5;
// The thread that reads the bad file has a low priority. Without it a machine of two cores reads 2.5 to 3.
const RATIO_MAX = 1.5;
const TEXT = "A search of one folder does not wait for a file of another one. ".repeat(12);

/** What a search costs while a run of another workspace reads a PDF that never ends; its floor is the same at rest. */
export const badFileRow: Row = {
  name: "A search while a run indexes a bad file",
  figure: "p50 ≤ 1.5 of idle",
  async measure() {
    const [goodRoot, badRoot] = [createRoot(FILES, TEXT), createRoot(0, TEXT)];
    await using target = await startEngine();
    const good = await createWorkspaceOver(target, goodRoot);
    const bad = await createWorkspaceOver(target, badRoot);
    await callTarget(target, "POST", `/workspaces/${good}/rag/index`);
    const body = JSON.stringify({ query: "search folder wait" });
    const path = `/workspaces/${good}/rag/search`;
    const request = requestBytes("POST", path, { ...target, body });
    const some = () => latencies({ port: target.port, request, requests: REQUESTS });
    await some();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const atRest = await some();
      writeFileSync(join(badRoot, `forms-${round}.pdf`), nestedForms());
      const run = callTarget(target, "POST", `/workspaces/${bad}/rag/index`).catch(() => 0);
      await some();
      rounds.push({ atRest, beside: await some() });
      await callTarget(target, "POST", `/workspaces/${bad}/rag/cancel`);
      await run;
    }
    for (const root of [goodRoot, badRoot]) rmSync(root, { recursive: true });
    return besideRest(rounds, RATIO_MAX);
  },
};
