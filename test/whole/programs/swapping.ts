import { spawn } from "node:child_process";
import { once } from "node:events";

const FOLDER = `
  const { renameSync, symlinkSync } = require("node:fs");
  const [real, target] = process.argv.slice(1);
  const hidden = real + ".hidden", link = real + ".link";
  symlinkSync(target, link);
  const swap = () => {
    renameSync(real, hidden);
    renameSync(link, real);
    renameSync(real, link);
    renameSync(hidden, real);
  };
`;

const FILE = `
  const { renameSync, symlinkSync, writeFileSync } = require("node:fs");
  const [real, target] = process.argv.slice(1);
  const swap = () => {
    symlinkSync(target, real + ".link");
    renameSync(real + ".link", real);
    writeFileSync(real + ".file", "inside");
    renameSync(real + ".file", real);
  };
`;

const TURNS = `
  let stopped = false;
  process.on("SIGTERM", () => { stopped = true; });
  console.log("started");
  (function turn() {
    for (let at = 0; at < 200; at += 1) swap();
    if (!stopped) setImmediate(turn);
  })();
`;

/**
 * Makes a path itself and a link to the target in turns, as fast as the machine can. Another process, because an attacker
 * does not wait for our event loop.
 */
export async function startSwapping(
  what: "folder" | "file",
  path: string,
  target: string,
): Promise<AsyncDisposable> {
  const script = (what === "folder" ? FOLDER : FILE) + TURNS;
  const swapper = spawn(process.execPath, ["-e", script, path, target], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(swapper.stdout, "data");
  return {
    async [Symbol.asyncDispose]() {
      swapper.kill("SIGTERM");
      await once(swapper, "exit");
    },
  };
}
