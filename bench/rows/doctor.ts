import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { START } from "../../test/support/engine/process.ts";
import { p50Of, type Row } from "../harness.ts";

const ROUNDS = 5;
const MS_MAX = 2_000;

/** `engine doctor` where nothing runs: no engine, no sign-in server, no server of embeddings. */
export const doctorRow: Row = {
  name: "doctor with everything down",
  figure: `p50 < ${MS_MAX} ms`,
  async measure() {
    const folder = mkdtempSync(join(tmpdir(), "roundhouse-doctor-"));
    const env = {
      ...process.env,
      ENGINE_DATA_DIR: folder,
      ENGINE_ACCOUNT_URL: "http://127.0.0.1:9",
      ENGINE_EMBEDDINGS: "openai-compatible",
      ENGINE_EMBEDDINGS_URL: "http://127.0.0.1:9/v1",
      ENGINE_EMBEDDINGS_MODEL: "m",
    };
    const examine = async () => {
      const options = { env, stdio: "ignore" } as const;
      await once(spawn(process.execPath, [...START, "doctor"], options), "exit");
    };
    // The first run may make the bundle.
    await examine();
    const p50 = await p50Of(ROUNDS, examine);
    rmSync(folder, { recursive: true });
    return [{ ours: `${p50.toFixed(0)} ms`, floor: "none", ratio: "-", reached: p50 < MS_MAX }];
  },
};
