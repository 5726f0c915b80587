import { spawn } from "node:child_process";
import { BROWSER_WAIT_MS } from "./limits.ts";

/** Opens an address in the system's browser. @returns false where there is none, or it failed at once. */
export function showInBrowser(url: string): Promise<boolean> {
  const [command, ...args] = commandFor(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("exit", (code) => resolve(code === 0));
    // Some commands run as long as the browser does.
    setTimeout(() => resolve(true), BROWSER_WAIT_MS).unref();
  });
}

// The address is an argument of its own, never part of a shell command.
function commandFor(url: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
