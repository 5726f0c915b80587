import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { FROM_SOURCES } from "../support/processes.ts";
import { isLongRun } from "../support/repeats.ts";

const SUITES = ["hostile-paths", "text", "directory", "move", "preview", "permissions"];
// They look at the content of a file that is open already: how it was found makes no difference, and they take half of the time.
const OF_CONTENT = /how large|which files are text|every written text|a large folder/;

it("where held folders have no address, every operation answers the same", {
  timeout: 300_000,
}, async () => {
  if (process.platform === "win32") return;
  const at = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
  const child = spawn(
    process.execPath,
    [
      ...FROM_SOURCES,
      ...["--import", at("./programs/without-descriptor-paths.ts")],
      ...(isLongRun ? [] : [`--test-skip-pattern=${OF_CONTENT}`]),
      "--test-reporter=tap",
      at("../../tools/test/run-files.ts"),
      ...SUITES.map((name) => at(`../engine/files/${name}.test.ts`)),
    ],
    // Without it, `node --test` of this file would make the other process speak to it in its own format.
    { env: { ...process.env, NODE_TEST_CONTEXT: undefined }, stdio: ["ignore", "pipe", "inherit"] },
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
