import { spawn } from "node:child_process";

/** Opens an address in the system's browser. A failure is ignored: the address was printed. */
export function showInBrowser(url: string): void {
  const [command, ...args] = commandFor(url);
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {
    // No browser available: the address was printed.
  });
  child.unref();
}

// The address is an argument of its own, never part of a shell command.
function commandFor(url: string): [string, ...string[]] {
  if (process.platform === "darwin") return ["open", url];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return ["xdg-open", url];
}
