import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestFolder } from "../support/engine/files.ts";
import { rounds } from "../support/repeats.ts";

const WRITER = fileURLToPath(new URL("./programs/write-files.ts", import.meta.url));
const ON_WINDOWS = process.platform === "win32";

it("after kill -9 in the middle of writing, every file is whole", {
  timeout: 120_000,
}, async () => {
  for (const round of rounds("kills", { once: 2, long: 6 })) {
    await using root = await createTestFolder({ "old.txt": "old" });
    const writer = spawn(process.execPath, [WRITER, root.path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(writer, "exit");
    let lines = 0;
    for await (const line of createInterface(writer.stdout)) {
      assert.equal(line, "written");
      lines += 1;
      if (lines > round) break;
    }
    writer.kill("SIGKILL");
    await exited;
    const names = await readdir(root.path);
    assert.ok(names.includes("old.txt"));
    for (const name of names) {
      if (/^\.roundhouse-[0-9a-f]{16}\.tmp$/.test(name)) continue;
      const content = await root.read(name);
      if (name === "old.txt" && content === "old") continue;
      assert.equal(content.length, 1_000_000, name);
      assert.equal(content, content[0]!.repeat(1_000_000), name);
    }
  }
});

it("where a file cannot be written completely, the old one stays and no temporary file is left", async () => {
  if (ON_WINDOWS) return;
  await using root = await createTestFolder({ "old.txt": "old" });
  // As on a full disk: the 100 or so first kilobytes can be written, the rest is an error.
  const command = `trap '' XFSZ; ulimit -f 200; exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, WRITER, root.path, "once"];
  const writer = spawn("sh", args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  for await (const line of createInterface(writer.stdout)) lines.push(line);
  assert.deepEqual(lines, ["failed EFBIG", "failed EFBIG"]);
  assert.deepEqual(await root.tree(), ["old.txt"]);
  assert.equal(await root.read("old.txt"), "old");
});
