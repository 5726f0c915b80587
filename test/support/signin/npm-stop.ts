import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { NpmProcess } from "../processes.ts";
import { nodeRuntime } from "./runtimes.ts";

interface Place {
  /** The data directory. */
  folder: string;
  /** Where the server listens. */
  url: string;
  /** The name of a process that npm started. */
  child: RegExp;
}

/** Sends SIGTERM to npm alone, as a supervisor does. @throws where the server does not stop in order, or a process is left */
export async function stopByNpm(npm: NpmProcess, { folder, url, child }: Place): Promise<void> {
  const names = npm.processes().map(({ name }) => name);
  assert.ok(
    names.some((name) => child.test(name)),
    names.join(", "),
  );

  const refused = await nodeRuntime.refusal({ SIGNIN_DATA_DIR: folder });
  const [, said, pid] = / at (http:\S+) \(process (\d+)\)\./.exec(refused) ?? [];
  assert.equal(said, url, refused);
  assert.ok(npm.processes().some(({ id }) => id === Number(pid)));

  process.kill(npm.pid, "SIGTERM");
  await npm.gone();
  assert.equal(existsSync(join(folder, "running.json")), false, "it stopped in order");
}
