// `npm run bench:signin`: the sign-in server beside Better Auth, and the Worker beside an empty one. Both of a pair are measured
// in turn within one run; only the ratios mean anything. `npm run bench:signin -- me worker` runs the rows of these names.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/support/fake-server.ts";
import { SigninHarness } from "../test/support/signin/harness.ts";
import { nodeRuntime } from "../test/support/signin/runtimes.ts";
import { WORKER_GZIP_BYTES_MAX } from "../test/support/worker.ts";
import { interleave, median, medianRatio } from "./harness.ts";
import { KeepAlive, wireRequest } from "./keep-alive.ts";
import { measureVerifierTime } from "./verifier-time.ts";
import { layOutEmpty, layOutSignin } from "./worker-start.ts";

const CONNECTIONS = 16;
const REQUESTS = 1600;
const ROUNDS = 5;
// One more before them, which no number comes from: both programs are to be warm.
const ROUNDS_RUN = ROUNDS + 1;
// The limit is 30 refreshes a minute for a session: as many sessions as all rounds need.
const REFRESHES_PER_SESSION = 25;
const VERIFY_MS_MAX = 0.5;
const WORKER_GZIP_KIB_MAX = WORKER_GZIP_BYTES_MAX / 1024;
const WORKER_START_RATIO_MAX = 4;
const PEER = join(import.meta.dirname, "peers/better-auth.mjs");

const ROWS: Record<string, (resources: AsyncDisposableStack) => Promise<void>> = {
  refresh: measureRefresh,
  me: measureMe,
  verifier: measureVerifier,
  worker: measureWorker,
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ROWS);
const unknown = chosen.filter((name) => !Object.hasOwn(ROWS, name));
if (unknown.length > 0) {
  console.error(
    `No row is called ${unknown.join(", ")}; there are ${Object.keys(ROWS).join(", ")}.`,
  );
  process.exit(2);
}
console.log("| what | ours | beside it | ratio | to reach | reached |\n|---|---|---|---|---|---|");
for (const name of chosen) {
  await using resources = new AsyncDisposableStack();
  await ROWS[name]?.(resources);
}

async function measureRefresh(resources: AsyncDisposableStack): Promise<void> {
  const { harness, port } = await openNode(resources);
  const refreshing = resources.use(await startBetterAuth(0));
  const chains = await openChains(harness, port);
  const refresh = await interleave(
    () => requestsPerSecond(port, (connection) => chains.next(connection)),
    () => requestsPerSecond(refreshing.port, () => refreshing.getSession),
    ROUNDS_RUN,
  );
  report("`/auth/refresh` beside a refreshed session", warm(refresh), 2.5);
}

async function measureMe(resources: AsyncDisposableStack): Promise<void> {
  const { harness, port } = await openNode(resources);
  const lasting = resources.use(await startBetterAuth(86_400));
  const { access_token: bearer } = await harness.openNativeSession();
  const me = wireRequest("GET", "/auth/me", {
    port,
    headers: { Authorization: `Bearer ${bearer}` },
  });
  const read = await interleave(
    () => requestsPerSecond(port, () => me),
    () => requestsPerSecond(lasting.port, () => lasting.getSession),
    ROUNDS_RUN,
  );
  report("`/auth/me` beside get-session", warm(read), 4);
}

async function openNode(resources: AsyncDisposableStack) {
  const harness = resources.use(
    await SigninHarness.open(nodeRuntime, { SIGNIN_LOG_LEVEL: "error" }),
  );
  return { harness, port: Number(new URL(harness.signin.baseUrl).port) };
}

async function measureVerifier(): Promise<void> {
  const { verifier, signature } = await measureVerifierTime();
  const [ours, alone] = [verifier, signature].map((ms) => `${ms.toFixed(3)} ms`);
  const ratio = (verifier / signature).toFixed(2);
  printRow(
    ["a token verified by another service, beside its signature alone", ours, alone, ratio],
    `< ${VERIFY_MS_MAX} ms`,
    verifier < VERIFY_MS_MAX,
  );
}

function warm({ ours, floor }: { ours: number[]; floor: number[] }) {
  return { ours: ours.slice(1), floor: floor.slice(1) };
}

function report(name: string, pair: { ours: number[]; floor: number[] }, least: number): void {
  const ratio = medianRatio(pair);
  const [ours, theirs] = [median(pair.ours), median(pair.floor)].map(
    (value) => `${Math.round(value)}/s`,
  );
  printRow([name, ours, theirs, ratio.toFixed(2)], `>= ${least}`, ratio >= least);
}

/** A row of the table: what is measured, ours, what is beside it and their ratio; then what is to be reached. */
function printRow(cells: (string | undefined)[], bound: string, isReached: boolean): void {
  console.log(`| ${[...cells, bound, isReached ? "yes" : "**no**"].join(" | ")} |`);
}

/** What a connection asks next; `learn` gets the answer. */
type Ask = string | { request: string; learn(answer: string): void };

async function requestsPerSecond(port: number, next: (connection: number) => Ask): Promise<number> {
  const sockets = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => KeepAlive.open(port)),
  );
  const startedAt = performance.now();
  await Promise.all(
    sockets.map(async (socket, connection) => {
      for (let at = 0; at < REQUESTS / CONNECTIONS; at += 1) {
        const ask = next(connection);
        if (typeof ask === "string") await socket.ask(ask);
        else ask.learn(await socket.ask(ask.request));
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  for (const socket of sockets) socket[Symbol.dispose]();
  return REQUESTS / seconds;
}

/** Refresh tokens, each the successor of the last; every connection has its own sessions. */
async function openChains(harness: SigninHarness, port: number) {
  const perConnection = (ROUNDS_RUN * REQUESTS) / CONNECTIONS / REFRESHES_PER_SESSION;
  const tokens = Array.from({ length: CONNECTIONS }, (): string[] => []);
  // One after the other: each of them is a person of the one fake provider.
  for (const own of tokens) {
    for (let at = 0; at < perConnection; at += 1) {
      own.push((await harness.openNativeSession()).refresh_token);
    }
  }
  const counts = tokens.map(() => 0);
  return {
    next(connection: number): Ask {
      const count = counts[connection] ?? 0;
      counts[connection] = count + 1;
      const own = tokens[connection] ?? [];
      const at = Math.floor(count / REFRESHES_PER_SESSION);
      const body = JSON.stringify({ refresh_token: own[at] });
      return {
        request: wireRequest("POST", "/auth/refresh", { port, headers: {}, body }),
        learn(answer) {
          own[at] = /"refresh_token":"([^"]+)"/.exec(answer)?.[1] ?? "";
        },
      };
    },
  };
}

async function startBetterAuth(updateAgeSec: number) {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-peer-"));
  const port = await freePort();
  const args = [PEER, join(folder, "auth.db"), String(port), String(updateAgeSec)];
  const child: ChildProcess = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (child.stdout) await once(child.stdout, "data");
  const base = `http://127.0.0.1:${port}`;
  const response = await fetch(`${base}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: base },
    body: JSON.stringify({ email: "a@example.test", password: "correct horse", name: "A" }),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return {
    port,
    getSession: wireRequest("GET", "/api/auth/get-session", { port, headers: { Cookie: cookie } }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
      await rm(folder, { recursive: true });
    },
  };
}

async function measureWorker(resources: AsyncDisposableStack): Promise<void> {
  const signin = resources.use(await layOutSignin());
  const empty = resources.use(await layOutEmpty());
  const kib = signin.gzipBytes / 1024;
  printRow(
    ["the Worker, gzip", `${kib.toFixed(1)} KB`, "", ""],
    `<= ${WORKER_GZIP_KIB_MAX} KB`,
    kib <= WORKER_GZIP_KIB_MAX,
  );
  const starts = await interleave(
    () => signin.start(),
    () => empty.start(),
    2 * ROUNDS + 1,
  );
  const ratio = medianRatio(starts);
  const [own, bare] = [median(starts.ours), median(starts.floor)].map(
    (ms) => `${Math.round(ms)} ms`,
  );
  printRow(
    ["the Worker's first 200 beside an empty Worker's", own, bare, ratio.toFixed(2)],
    `<= ${WORKER_START_RATIO_MAX}`,
    ratio <= WORKER_START_RATIO_MAX,
  );
}
