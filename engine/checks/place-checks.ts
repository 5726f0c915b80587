import { constants, existsSync } from "node:fs";
import { access, readdir, readFile, stat, statfs } from "node:fs/promises";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { bareHost } from "../../shared/host.ts";
import { acquireProcessLock } from "../../shared/node/process-lock.ts";
import { systemErrorCode, unlessMissing } from "../../shared/system-error.ts";
import { MIB } from "../../shared/units.ts";
import type { EngineConfig } from "../config.ts";
import { type DataDirectory, isDataDirectory } from "../runtime/data-directory.ts";
import { DEFAULT_PORT } from "../runtime/listen.ts";
import { describeHolder } from "../runtime/port-holder.ts";
import { type RuntimeInfo, readRuntimeFile } from "../runtime/runtime-file.ts";
import { type Finding, failed, fine, warning } from "./finding.ts";
import { DISK_BYTES_LOW, DISK_BYTES_MIN } from "./limits.ts";

const NODE_MAJOR_MIN = 24;
const ACCESS_OF_OTHERS = 0o077;

export function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= NODE_MAJOR_MIN) return fine("Node", `${version}.`);
  return failed("Node", `${version} is too old.`, "Run `npm start`, which uses the right one.");
}

/** Whether a start could use the data directory. */
export async function checkDirectory({ path }: DataDirectory): Promise<Finding> {
  const check = "data directory";
  const elsewhere = "Set ENGINE_DATA_DIR to a directory of its own.";
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return failed(check, `${path} is not a folder.`, elsewhere);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (process.platform === "win32" || (found.mode & ACCESS_OF_OTHERS) === 0) {
      return fine(check, `${path}, private.`);
    }
    const names = await readdir(path);
    if (names.length > 0 && !isDataDirectory(names)) {
      return failed(check, `${path} holds other files, and no engine.db.`, elsewhere);
    }
    return warning(
      check,
      `Others can open ${path}.`,
      "Restart the engine: it makes the folder private.",
    );
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === "ENOENT") return fine(check, `${path} is made by the first start.`);
    return failed(
      check,
      `${path} cannot be used (${code}).`,
      "Make it yours, or set ENGINE_DATA_DIR.",
    );
  }
}

/** Which process uses the data directory now. */
export async function checkLock(
  { lock }: DataDirectory,
  running: RuntimeInfo | undefined,
): Promise<Finding> {
  const check = "lock";
  if (running) return fine(check, `The engine holds it (process ${running.pid}).`);
  try {
    const held = await findLockHolder(lock);
    if (!held) return fine(check, "It is available.");
    const { pid } = held;
    const holder = pid === undefined ? "A process" : `Process ${pid}`;
    const cure = `Wait if it is starting; otherwise stop ${pid ?? "the process that has lock.db open"}.`;
    return failed(check, `${holder} holds it, and no engine answers.`, cure);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(check, reason, "Delete the file.");
  }
}

/** The address of the engine, or whether it could listen. */
export async function checkPort(
  { host, port }: EngineConfig,
  running: RuntimeInfo | undefined,
): Promise<Finding> {
  const check = "port";
  if (running) return fine(check, `The engine is listening on ${running.host}:${running.port}.`);
  const wanted = port ?? DEFAULT_PORT;
  const code = await tryToListen(bareHost(host), wanted);
  if (code === "") return fine(check, `${wanted} is free.`);
  const reason =
    code === "EADDRINUSE"
      ? `${wanted} is taken by ${await describeHolder(bareHost(host), wanted)}.`
      : `${host}:${wanted} cannot be used (${code}).`;
  if (port === undefined) return warning(check, reason, "The engine will use another port.");
  return failed(check, reason, "Unset ENGINE_PORT to let the engine choose.");
}

/** By which clients find the engine. */
export async function checkRuntimeFile(
  { runtimeFile }: DataDirectory,
  running: RuntimeInfo | undefined,
): Promise<Finding> {
  const check = "runtime.json";
  if (running) {
    const { mode } = await stat(runtimeFile);
    if (process.platform === "win32" || (mode & ACCESS_OF_OTHERS) === 0) {
      return fine(check, `Version ${running.version}, since ${running.startedAt}.`);
    }
    return warning(check, "Others can read the token in it.", `Run \`chmod 600 ${runtimeFile}\`.`);
  }
  if (!existsSync(runtimeFile)) {
    return warning(
      check,
      "It does not exist because the engine is not running.",
      "Start the engine with `npm start`.",
    );
  }
  const left = await readRuntimeFile(runtimeFile);
  const whose = left ? `of process ${left.pid}, which does not respond` : "damaged";
  return warning(check, `It is ${whose}.`, "Start the engine: it writes a new one.");
}

export async function checkDisk({ path }: DataDirectory): Promise<Finding> {
  const check = "disk";
  const { bavail, bsize } = await statfs(existingParent(path));
  const free = bavail * bsize;
  const detail = `${Math.floor(free / MIB).toLocaleString("en")} MiB are free.`;
  if (free >= DISK_BYTES_LOW) return fine(check, detail);
  const cure = "Make room on the disk of the data directory.";
  return free < DISK_BYTES_MIN ? failed(check, detail, cure) : warning(check, detail, cure);
}

function existingParent(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingParent(dirname(path));
}

/** The code of the failure; empty if it worked. */
function tryToListen(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(systemErrorCode(error) || "unknown"));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve("")));
  });
}

/**
 * Looks which process holds the lock of `acquireProcessLock`; its id if the system says it. On Linux the system's table says it, and nothing is touched. Elsewhere the lock
 * is taken for a moment, which also removes what a killed holder left beside the file.
 * @throws StartRefused if the file cannot be used
 */
async function findLockHolder(path: string): Promise<{ pid: number | undefined } | undefined> {
  const file = await stat(path).catch(unlessMissing);
  if (!file) return undefined;
  const table = await readFile("/proc/locks", "utf8").catch(() => undefined);
  if (table !== undefined) {
    const holder = table
      .split("\n")
      .map(toWriteLock)
      .find((lock) => lock?.ino === String(file.ino));
    return holder && { pid: Number(holder.pid) || undefined };
  }
  using lock = acquireProcessLock(path);
  return lock ? undefined : { pid: undefined };
}

// `1: POSIX  ADVISORY  WRITE 4711 fd:01:131090 1073741825 1073741825`
function toWriteLock(line: string): { pid: string; ino: string } | undefined {
  const [, kind, mode, access, pid = "", file = ""] = line.split(/ +/);
  if (kind !== "POSIX" || mode !== "ADVISORY" || access !== "WRITE") return undefined;
  return { pid, ino: file.slice(file.lastIndexOf(":") + 1) };
}
