import { spawn } from "node:child_process";
import { once } from "node:events";

// A process of its own, as an attacker does not wait for the event loop of the test.
const SCRIPT = `
  const { renameSync, symlinkSync } = require("node:fs");
  const [real, target] = process.argv.slice(1);
  const hidden = real + ".hidden", link = real + ".link";
  symlinkSync(target, link);
  let stopped = false;
  process.on("SIGTERM", () => { stopped = true; });
  console.log("started");
  (function turn() {
    for (let at = 0; at < 100; at += 1) {
      renameSync(real, hidden);
      renameSync(link, real);
      renameSync(real, link);
      renameSync(hidden, real);
    }
    if (!stopped) setImmediate(turn);
  })();
`;

/** Exchanges a folder with a link to `target`, again and again, until it is disposed. */
export async function swapFolder(folder: string, target: string): Promise<AsyncDisposable> {
  const args = ["-e", SCRIPT, folder, target];
  const swapper = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(swapper.stdout, "data");
  return {
    async [Symbol.asyncDispose]() {
      swapper.kill("SIGTERM");
      await once(swapper, "exit");
    },
  };
}
