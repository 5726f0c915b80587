import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nestedForms } from "../../test/support/files/bombs.ts";
import { besideRest, type Round, type Row } from "../harness.ts";
import { latencies, requestBytes } from "../http-load.ts";
import { callTarget, startEngine } from "../processes.ts";

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
    const roots = [createRoot(), mkdtempSync(join(tmpdir(), "roundhouse-bad-"))];
    await using target = await startEngine();
    const create = (root: string) =>
      callTarget<{ uuid: string }>(target, "POST", "/workspaces", {
        name: "bench",
        directories: JSON.stringify([root]),
      });
    const [good, bad] = await Promise.all(roots.map(create));
    await callTarget(target, "POST", `/workspaces/${good?.uuid}/rag/index`);
    const body = JSON.stringify({ query: "search folder wait" });
    const path = `/workspaces/${good?.uuid}/rag/search`;
    const request = requestBytes("POST", path, { ...target, body });
    const some = () => latencies({ port: target.port, request, requests: REQUESTS });
    await some();
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const atRest = await some();
      writeFileSync(join(roots[1] ?? "", `forms-${round}.pdf`), nestedForms());
      const run = callTarget(target, "POST", `/workspaces/${bad?.uuid}/rag/index`).catch(() => 0);
      await some();
      rounds.push({ atRest, beside: await some() });
      await callTarget(target, "POST", `/workspaces/${bad?.uuid}/rag/cancel`);
      await run;
    }
    for (const root of roots) rmSync(root, { recursive: true });
    return besideRest(rounds, RATIO_MAX);
  },
};

function createRoot(): string {
  const root = mkdtempSync(join(tmpdir(), "roundhouse-root-"));
  for (let at = 0; at < FILES; at += 1) {
    writeFileSync(join(root, `file-${at}.md`), `# File ${at}\n\n${TEXT}\n`);
  }
  return root;
}
