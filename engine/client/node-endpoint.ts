import { readFile } from "node:fs/promises";
import { parseJson } from "../../shared/json.ts";
import { systemErrorCode } from "../../shared/system-error.ts";
import type { Address, Endpoint } from "./endpoint.ts";
import { EngineNotRunning } from "./errors.ts";
import { CONNECT_WAIT_MS } from "./limits.ts";

/** A running engine, as its `runtime.json` has it. */
export interface Running extends Address {
  pid: number;
}

/** The engine of a `runtime.json`, if its process is there. A file that a crash left over counts as none. */
export async function findRunning(file: string): Promise<Running | undefined> {
  // Missing, or no JSON: there is no engine.
  const text = await readFile(file, "utf8").catch(() => undefined);
  const { pid, host, port, token }: Record<string, unknown> = Object(parseJson(text));
  if (typeof pid !== "number" || typeof port !== "number") return undefined;
  if (typeof host !== "string" || typeof token !== "string" || !isAlive(pid)) return undefined;
  return { pid, baseUrl: `http://${host}:${port}/api/v1`, token };
}

/** Whether the engine there has this token: the process of an old file may be another one by now. */
export async function answers({ baseUrl, token }: Address, fetch: typeof globalThis.fetch) {
  try {
    const response = await fetch(`${baseUrl}/account/server`, {
      headers: { Authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.timeout(CONNECT_WAIT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // No connection, or no answer in time.
    return false;
  }
}

/** An endpoint that reads the file again after a restart of the engine. */
export function fileEndpoint(file: string, found: Address): Endpoint {
  let address = found;
  return {
    current: () => address,
    async renew(failed) {
      // Another request may have read it meanwhile.
      if (address.token !== failed.token) return address;
      const running = await findRunning(file);
      if (!running) throw noEngine(file);
      if (running.token === failed.token) return undefined;
      address = running;
      return address;
    },
  };
}

/** `file` is the `runtime.json` that was looked for, `reason` why a launch failed. */
export function noEngine(file: string, reason?: string, cause?: unknown): EngineNotRunning {
  const wayOut =
    reason === undefined
      ? "Start one, or pass `launch: true`."
      : `It could not be launched: ${reason}`;
  const message = `No engine runs: ${file} is missing or of one that has ended. ${wayOut}`;
  return new EngineNotRunning(message, cause);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another account is there.
    return systemErrorCode(error) === "EPERM";
  }
}
