import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";

/** A script or a style sheet with all that it imports, as the text that a browser loads. */
export async function bundlePage(path: string): Promise<string> {
  const [bundled] = await bundleParts(path);
  return bundled?.text ?? "";
}

/** The same, then each part that the script imports when it needs it: a file for each, beside it. */
export async function bundleParts(path: string): Promise<{ name: string; text: string }[]> {
  const later = new Set<string>();
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
    plugins: [keepImports(later)],
  });
  // Sorted: esbuild resolves files side by side and finds them in any order.
  const parts = await Promise.all([...later].sort().map((part) => bundleParts(part)));
  return [{ name: scriptName(path), text: outputFiles[0]?.text ?? "" }, ...parts.flat()];
}

/** Leaves `import()` of a file of the page as it is, and collects the file. */
function keepImports(later: Set<string>): Plugin {
  return {
    name: "later",
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ kind, path, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        later.add(join(resolveDir, path));
        return { path: `./${scriptName(path)}`, external: true };
      });
    },
  };
}

function scriptName(path: string): string {
  return basename(path).replace(/\.tsx?$/, ".js");
}
