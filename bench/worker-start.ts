import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { freePort } from "../test/support/fake-server.ts";
import { KEYS } from "../test/support/signin/runtimes.ts";
import { buildWorker, COMPATIBILITY } from "../test/support/worker.ts";

const EMPTY = 'export default { fetch: () => new Response("ok") };';

/** A Worker laid out for bare workerd, without Miniflare around it. */
export interface LaidOutWorker extends AsyncDisposable {
  /** From spawning workerd to its first 200, in milliseconds. */
  start(): Promise<number>;
  gzipBytes: number;
}

export async function layOutSignin(): Promise<LaidOutWorker> {
  const script = await readFile(await buildWorker(), "utf8");
  return layOut(script, { APP_ENV: "test", DATABASE_URL: "http://127.0.0.1:9", ...KEYS });
}

export function layOutEmpty(): Promise<LaidOutWorker> {
  return layOut(EMPTY, {});
}

async function layOut(script: string, variables: Record<string, string>): Promise<LaidOutWorker> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-workerd-"));
  await writeFile(join(folder, "worker.js"), script);
  return {
    gzipBytes: gzipSync(script).length,
    start: () => start(folder, variables),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function start(folder: string, variables: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  const port = await freePort();
  const file = join(folder, "config.capnp");
  await writeFile(file, capnp(port, variables));
  const child = spawn("workerd", ["serve", file], { stdio: "ignore" });
  try {
    while (!(await answers(port))) if (child.exitCode !== null) throw new Error("workerd stopped");
    return performance.now() - startedAt;
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: "127.0.0.1", port, path: "/health", agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on("error", () => resolve(false));
  });
}

function capnp(port: number, variables: Record<string, string>): string {
  const bindings = Object.entries({ APP_BASE_URL: `http://127.0.0.1:${port}`, ...variables })
    .map(([name, value]) => `(name = "${name}", text = "${value}")`)
    .join(", ");
  const flags = COMPATIBILITY.flags.map((flag) => `"${flag}"`).join(", ");
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .signin),
    (name = "internet", network = (allow = ["public", "private"]))
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
const signin :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY.date}",
  compatibilityFlags = [${flags}],
  bindings = [${bindings}]
);
`;
}
