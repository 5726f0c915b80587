import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { RagResult } from "../../../engine/retrieval/wire.ts";
import { machineTimeSec } from "../time.ts";

// Apart from the engine, which a test of a process need not load.

/** Files of a root by path; undefined takes one away. */
export type Files = Record<string, string | Uint8Array | undefined>;

/** The body of a 200. @throws with the body of any other answer. */
export async function expect200<Body>(response: Response): Promise<Body> {
  if (response.status === 200) return (await response.json()) as Body;
  throw new Error(`${response.status}: ${await response.text()}`);
}

/** A new folder for a test, by its real path. */
export function temporaryRoot(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "roundhouse-rag-")));
}

/** Writes files of a minute ago, so that their times are old enough to be trusted. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, path);
    if (content === undefined) {
      rmSync(target);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
    const then = machineTimeSec() - 60;
    utimesSync(target, then, then);
  }
}

/** The paths of results, in their order. */
export function pathsOf(results: readonly RagResult[]): string[] {
  return results.map(({ path }) => path);
}
