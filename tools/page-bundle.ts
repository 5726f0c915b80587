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
    // The renderer's own way to write HTML: under another name it writes nothing.
    mangleProps: /^innerHTML$/,
  });
  return outputFiles[0]?.text ?? "";
}
