import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";

/** The home and the temporary folders of a run. All of it is removed when the run ends. */
export interface PrivateFolder extends Disposable {
  /** Makes the temporary folder of one job, and returns the variables of its processes. */
  open(job: number): NodeJS.ProcessEnv;
  /** Removes the temporary folder of a job. Returns what was left in it, and what in the home is no cache. */
  close(job: number): string[];
}

// What a test may know of this machine. Addresses, keys and settings of the person who runs it are none of it.
const KEPT =
  /^(path|systemroot|comspec|pathext|windir|(https?|no)_proxy|node_extra_ca_certs|ssl_cert_(file|dir)|chromium_path|fuzz_seed|ci|gogc)$/i;
// Programs that tests start keep caches and logs of their own there.
const CACHES = /^\.(cache|npm|config|pki|local)$/;
const MEMORY = "/dev/shm";
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

/** Short, since the addresses of Unix sockets below it have at most 107 bytes. */
export function createPrivateFolder(isLong: boolean): PrivateFolder {
  const root = mkdtempSync(
    join(process.env.TMPDIR === undefined && hasMemory() ? MEMORY : tmpdir(), "rh-"),
  );
  // Tests that run as root use folders below it as another account.
  chmodSync(root, 0o711);
  const home = join(root, "home");
  mkdirSync(home);
  const kept = Object.entries(process.env).filter(([name]) => KEPT.test(name));
  const folderOf = (job: number) => join(root, String(job));
  return {
    open(job) {
      const folder = folderOf(job);
      mkdirSync(folder);
      return {
        ...Object.fromEntries(kept),
        HOME: home,
        USERPROFILE: home,
        TMPDIR: folder,
        TEMP: folder,
        TMP: folder,
        NODE_COMPILE_CACHE: resolve(".build/compile-cache"),
        // wrangler asks for newer versions and keeps the answer in the temporary folder, unless it shows no banner.
        WRANGLER_HIDE_BANNER: "true",
        WRANGLER_SEND_METRICS: "false",
        // knip takes three quarters of the time.
        NODE_OPTIONS: "--max-semi-space-size=64",
        LANG: "C.UTF-8",
        TZ: "UTC",
        ...(isLong && { TEST_LONG: "1" }),
      };
    },
    close(job) {
      const folder = folderOf(job);
      const atHome = readdirSync(home).filter((name) => !CACHES.test(name));
      const left = [
        ...readdirSync(folder).map((name) => join(folder, name)),
        ...atHome.map((name) => join(home, name)),
      ];
      for (const path of [folder, ...left]) rmSync(path, { recursive: true, force: true });
      return left.map((path) => relative(root, path));
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Whether Linux has a folder in memory that is large enough and may hold programs. Tests would wait for the disk at each commit. */
function hasMemory(): boolean {
  try {
    const mounted = readFileSync("/proc/mounts", "utf8").split("\n");
    const options = mounted.find((line) => line.split(" ")[1] === MEMORY)?.split(" ")[3];
    const { bavail, bsize } = statfsSync(MEMORY);
    return options?.includes("noexec") === false && bavail * bsize >= MEMORY_BYTES_MIN;
  } catch {
    return false;
  }
}
