/** The kind of a text, which decides on chunks and titles. */
export type TextKind = "markdown" | "code" | "text";

const MARKDOWN = new Set(["md", "markdown", "mdx", "mkd"]);

export function kindOf(path: string): TextKind {
  if (MARKDOWN.has(extensionOf(path))) return "markdown";
  return languageOf(path) === "" ? "text" : "code";
}

/** The names of the language of source code; empty for other texts. */
export function languageOf(path: string): string {
  return LANGUAGES.get(extensionOf(path)) ?? "";
}

/** In lower case, without the dot; empty if there is none. */
export function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
}

// The usual names of each language, and the extensions of its files.
const TABLE = `
bash shell: sh bash; c: c h; c++ cpp: cc cpp cxx hh hpp; clojure: clj cljs; cmake: cmake; csharp c#: cs csx; css: css; dart: dart;
elixir: ex exs; elm: elm; erlang: erl; fish shell: fish; fsharp f#: fs fsx; golang: go; gradle: gradle; graphql: graphql;
groovy: groovy; haskell: hs; ini: ini cfg; java: java; javascript js: js jsx mjs cjs; json: json jsonc; julia: jl; kotlin: kt kts;
less: less; lua: lua; makefile: mk; nim: nim; objective c matlab: m mm; ocaml: ml mli; perl: pl pm; php: php; powershell: ps1;
protobuf: proto; python: py pyi; r: r; ruby: rb; rust: rs; sass: sass scss; scala: scala; sql: sql; svelte: svelte; swift: swift;
terraform: tf; toml: toml; typescript ts: ts tsx mts cts; verilog: v; vue: vue; xml: xml xaml; yaml: yaml yml;
zig: zig; zsh shell: zsh`;

/** The names of the languages of source code, by the extension of a file. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  TABLE.split(";").flatMap((row) => {
    const [names = "", extensions = ""] = row.trim().split(": ");
    return extensions.split(" ").map((extension) => [extension, names] as const);
  }),
);
