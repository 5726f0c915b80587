import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../../house/sources.ts";

const CORE_BYTES_MAX = 8 * 1024;

it("the client for browsers has at most 8 KiB gzip, and no import", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, "engine/client/client.ts")],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  assert.deepEqual(output?.imports, []);
  const bytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
  assert.ok(bytes <= CORE_BYTES_MAX, `${bytes} bytes`);
});
