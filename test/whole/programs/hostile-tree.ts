import { execFileSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, symlink, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "../../support/time.ts";

/** A root with what a folder can hold on a machine of files, pipes, sockets and links; POSIX only. */
export interface HostileTree extends AsyncDisposable {
  path: string;
  at(...segments: string[]): string;
}

/** Names that are allowed, and that a program may well trip over. */
export const STRANGE_NAMES = [
  "new\nline.txt",
  "tab\there.txt",
  "escape\u001b[2J.txt",
  "back\\slash.txt",
  "quote'\".txt",
  "%2e%2e.txt",
  "-rf.txt",
  "\u202etxt.exe.txt",
  "e\u0301.txt",
  "é.txt",
  " blank .txt",
  `${"n".repeat(251)}.txt`,
];

/** Where links of the tree lead. */
export const LINKS: Readonly<Record<string, string>> = {
  "to-root.txt": "/",
  "to-passwd.txt": "/etc/passwd",
  "to-above.txt": "..",
  "to-here.txt": ".",
  "to-itself.txt": "to-itself.txt",
  "to-nothing.txt": "nothing",
  "to-zero.txt": "/dev/zero",
  "to-random.png": "/dev/urandom",
  "to-environ.txt": "/proc/self/environ",
  "to-proc.txt": "/proc/self/root",
};

// Less than a read takes: the file grows in the middle of it.
const GROWTH_PAUSE_MS = 1;
const SPARSE_BYTES = 2 ** 40;
/** Deeper than a path can be long. */
const DEPTH = 3_000;

/** Makes the tree in a new temporary folder. */
export async function createHostileTree(): Promise<HostileTree> {
  const path = await mkdtemp(join(realpathSync(tmpdir()), "roundhouse-hostile-"));
  const at = (...segments: string[]) => join(path, ...segments);
  const text = "plain zebra text";
  await mkdir(at("folder"));
  await writeFile(at("folder", "inner.md"), "# Inner\n\nan okapi");
  await writeFile(at("plain.txt"), text);
  for (const name of STRANGE_NAMES) await writeFile(at(name), text);
  await writeFile(Buffer.concat([Buffer.from(at("bad-")), Buffer.from([0xff, 0xfe])]), text);
  for (const [name, target] of Object.entries(LINKS)) await symlink(target, at(name));
  execFileSync("mkfifo", [at("pipe.txt"), at("pipe.png")]);
  const listener = createServer();
  await new Promise<void>((resolve) => listener.listen(at("socket.txt"), resolve));
  for (const name of ["sparse.txt", "sparse.png"]) {
    await writeFile(at(name), "");
    await truncate(at(name), SPARSE_BYTES);
  }
  digDown(path);
  return {
    path,
    at,
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => listener.close(resolve));
      // Node cannot remove what is deeper than a path is long.
      execFileSync("rm", ["-rf", path]);
    },
  };
}

/** Appends to a file, one piece after the other, until it is disposed. */
export function growFile(path: string): AsyncDisposable {
  let over = false;
  const grow = async () => {
    while (!over) {
      await appendFile(path, "growing zebra line\n".repeat(100));
      await pause(GROWTH_PAUSE_MS);
    }
  };
  const grown = grow();
  return {
    async [Symbol.asyncDispose]() {
      over = true;
      await grown;
    },
  };
}

// In a process of its own, as each step changes the working directory.
function digDown(path: string): void {
  const script = `for (let at = 0; at < ${DEPTH}; at += 1) { fs.mkdirSync("deep"); process.chdir("deep"); }`;
  execFileSync(process.execPath, ["-e", script], { cwd: path });
}
