import assert from "node:assert/strict";
import { it } from "node:test";
import { ToolFailure } from "../../engine/tools/builtin/builtin.ts";
import { createTestFolder } from "../support/engine/files.ts";
import { createToolBench } from "../support/engine/tools.ts";
import { repeats } from "../support/repeats.ts";
import { startSwapping } from "./programs/swapping.ts";

const TOKEN = "TOKEN-OF-THE-ENGINE";

const CALLS_MIN = repeats({ once: 200, long: 1_000 });

it("while a folder is exchanged with a link to the data directory, none of it is read without approval", {
  timeout: 120_000,
}, async (t) => {
  // Elsewhere what is held has no address, and a narrow window stays (decision E-FILES-19).
  if (process.platform !== "linux") return;
  await using folder = await createTestFolder({
    data: { "runtime.json": TOKEN, "TOKEN-OF-THE-ENGINE.txt": "" },
    root: { x: { "runtime.json": "plain" } },
  });
  await using bench = await createToolBench({ dataDirectory: folder.at("data") });
  const file = { path: folder.at("root", "x", "runtime.json") };
  const place = { path: folder.at("root", "x"), query: "t" };
  const calls: [string, object][] = [
    ["read_file", file],
    ["list_folder", place],
    ["search_files", place],
  ];
  const seen = { plain: 0, refused: 0 };
  await using _ = await startSwapping("folder", folder.at("root", "x"), folder.at("data"));
  let count = 0;
  // Otherwise this test shows nothing: the folder was met as itself and as the link.
  while (count < CALLS_MIN || seen.plain === 0 || seen.refused === 0) {
    t.signal.throwIfAborted();
    const [name, input] = calls[count++ % calls.length] ?? assert.fail();
    if (await bench.alwaysAsks(name, input)) continue;
    try {
      const result = JSON.stringify(await bench.run(name, input));
      assert.doesNotMatch(result, /TOKEN/, name);
      seen.plain += 1;
    } catch (error) {
      if (!(error instanceof ToolFailure)) throw error;
      if (/not approved/.test(error.message)) seen.refused += 1;
    }
  }
});
