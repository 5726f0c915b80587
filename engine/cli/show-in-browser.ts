import { spawn } from "node:child_process";

/** Asks the system to show an address; where that fails, the person has the printed address. */
export function showInBrowser(url: string): void {
  const [command, ...args] = commandFor(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {
    // No browser here: the address was printed.
  });
  child.unref();
}

// The address is an argument of its own, never part of a shell's line.
function commandFor(url: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
