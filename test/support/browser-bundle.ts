import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ROOT } from "../house/sources.ts";

/** What a page loads for one entry of the package, as a bundler makes it. */
export interface BrowserBundle {
  gzipBytes: number;
  /** What it still imports. */
  imports: string[];
}

/** Bundles a source of this repository; packages stay imports. */
export async function bundleForBrowser(source: string): Promise<BrowserBundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, source)],
    bundle: true,
    packages: "external",
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    write: false,
    metafile: true,
  });
  const [output] = Object.values(metafile.outputs);
  return {
    gzipBytes: gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length,
    imports: [...new Set(output?.imports.map(({ path }) => path))],
  };
}

/** Bundles a script that imports this repository and its packages, for a browser or a Worker. */
export async function bundleScript(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    format: "esm",
    target: "es2022",
    write: false,
    conditions: ["browser"],
  });
  return outputFiles[0]?.text ?? assert.fail("nothing was bundled");
}
