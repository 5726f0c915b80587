import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import { fileURLToPath } from "node:url";

const SUITES = ["hostile-paths", "text", "directory", "move", "preview", "permissions"];

it("where held folders have no address, every operation answers the same", {
  timeout: 300_000,
}, async () => {
  if (process.platform === "win32") return;
  const at = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  // The runner marks its children, and a runner so marked runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const child = spawn(
    process.execPath,
    [
      "--import",
      at("../support/files/without-descriptor-paths.ts"),
      "--test",
      "--test-isolation=none",
      "--test-reporter=tap",
      ...SUITES.map((name) => at(`../engine/files/${name}.test.ts`)),
    ],
    { env, stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 0, output);
  assert.match(output, /# pass [1-9]\d/);
  assert.match(output, /# fail 0/);
});
