import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { ReadStream } from "node:tty";

const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
// In /proc/<pid>/stat, behind the name: state, parent, group, session, terminal, foreground group.
const GROUP_FIELD = 2;
const FOREGROUND_FIELD = 5;

/**
 * Reads single keys of the terminal that the engine runs in: `o` opens, `q` and Ctrl-C stop, Ctrl-Z suspends. Dispose it to
 * give the terminal back; Node does so at every end of the process. In the background the terminal is left alone.
 */
export function listenForKeys(
  input: ReadStream,
  { open, stop }: { open(): Promise<void>; stop(): void },
): Disposable {
  let isOpening = false;
  const release = () => {
    input.pause();
    input.setRawMode(false);
  };
  const take = () => {
    // Reading in the background would suspend the process.
    if (!isInForeground()) return;
    input.setRawMode(true);
    input.resume();
    input.unref();
  };
  const onKey = (keys: Buffer) => {
    const key = keys.toString("latin1");
    if (key === "q" || key.includes(CTRL_C)) stop();
    if (key === CTRL_Z) {
      release();
      // The group, as the terminal does it.
      process.kill(0, "SIGTSTP");
    }
    if (key !== "o" || isOpening) return;
    isOpening = true;
    void open().finally(() => {
      isOpening = false;
    });
  };
  const onEnd = () => input.pause();
  input.on("data", onKey);
  // A terminal that closes sends SIGHUP as well.
  input.on("error", onEnd);
  process.on("SIGCONT", take);
  take();
  return {
    [Symbol.dispose]() {
      process.off("SIGCONT", take);
      input.off("data", onKey);
      release();
    },
  };
}

/** Whether the terminal belongs to this process group. Linux says so without another program. */
function isInForeground(): boolean {
  if (process.platform === "win32") return true;
  try {
    const text = readFileSync("/proc/self/stat", "latin1");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return fields[GROUP_FIELD] === fields[FOREGROUND_FIELD];
  } catch {
    // A `+` in the state of `ps` is the foreground group.
    const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(process.pid)], {
      encoding: "latin1",
    });
    return stdout?.includes("+") ?? false;
  }
}
