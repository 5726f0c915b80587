import { build } from "esbuild";

/** A script or a style sheet with all that it imports, as the text that a browser loads. */
export async function bundlePage(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
    legalComments: "none",
  });
  return outputFiles[0]?.text ?? "";
}
