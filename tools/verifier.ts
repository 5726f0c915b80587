// `npm run verifier:generate`: writes signin/verify/verify.generated.mjs from the TypeScript beside it. Other projects import
// it as `roundhouse/signin/verify`, and Node strips no types from what is in node_modules.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

const FOLDER = join(import.meta.dirname, "../signin/verify");

/** The module as JavaScript in one file; jose stays an import. */
export async function buildVerifier(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, "verify.ts")],
    bundle: true,
    packages: "external",
    platform: "neutral",
    format: "esm",
    target: "es2022",
    write: false,
    legalComments: "none",
    banner: { js: "// Written by `npm run verifier:generate` from the files beside it." },
  });
  return outputFiles[0]?.text ?? "";
}

if (import.meta.main) {
  await writeFile(join(FOLDER, "verify.generated.mjs"), await buildVerifier());
}
