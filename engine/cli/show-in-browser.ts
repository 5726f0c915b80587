import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { BROWSER_WAIT_MS } from "./limits.ts";

/**
 * Opens an address in the system's browser. Other accounts can read the arguments of a process: on macOS there are none, on
 * Linux the engine asks for the account, and Windows shows them to the own account alone.
 * @returns false if there is none, or it failed at once.
 */
export function showInBrowser(
  url: string,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const { command, input } = openerOf(url, platform);
  const [file, ...args] = command;
  const child = spawn(file, args, { stdio: ["pipe", "ignore", "ignore"], detached: true });
  // A program that is missing or that reads nothing is no failure of its own.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  child.unref();
  const hasWorked = once(child, "exit").then(
    ([code]) => code === 0,
    () => false,
  );
  // Some commands run as long as the browser does. The timer keeps the process until the answer is known.
  return Promise.race([hasWorked, wait(BROWSER_WAIT_MS, true)]);
}

/** The line above the address, which a person may need in both cases. */
export function describeShown(isShown: boolean): string {
  const what = isShown
    ? "The console opens in your browser. If it does not, open this address"
    : "No browser could be opened. Open this address";
  return `${what} within a minute:`;
}

/** The program, and what it reads. The address is an argument of its own, never part of a shell command. */
function openerOf(
  url: string,
  platform: NodeJS.Platform,
): { command: [string, ...string[]]; input?: string } {
  switch (platform) {
    case "darwin":
      return { command: ["osascript", "-"], input: `open location ${JSON.stringify(url)}\n` };
    case "win32":
      return { command: ["rundll32", "url.dll,FileProtocolHandler", url] };
    default:
      return { command: ["xdg-open", url] };
  }
}
