/** The kind of a text, which decides on chunks and titles. */
export type TextKind = "markdown" | "code" | "text";

const MARKDOWN = new Set(["md", "markdown", "mdx", "mkd"]);
const CODE = new Set(
  `c cc cpp cxx cs csx fs fsx go h hh hpp java js jsx mjs cjs ts tsx mts cts kt kts scala swift m mm php ps1 py pyi rb rs sh bash
  zsh fish sql lua pl pm r jl dart ex exs erl hs clj cljs elm ml mli nim zig v vue svelte css scss sass less xml xaml
  json jsonc toml yml yaml ini cfg gradle groovy proto graphql tf cmake mk`
    .trim()
    .split(/\s+/),
);

export function kindOf(path: string): TextKind {
  const extension = extensionOf(path);
  if (MARKDOWN.has(extension)) return "markdown";
  return CODE.has(extension) ? "code" : "text";
}

/** In lower case, without the dot; empty where there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}
