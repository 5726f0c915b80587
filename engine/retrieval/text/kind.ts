import languages from "./languages.json" with { type: "json" };

/** The kind of a text, which decides on chunks and titles. */
export type TextKind = "markdown" | "code" | "text";

const MARKDOWN = new Set(["md", "markdown", "mdx", "mkd"]);
/** The usual names of the languages of source code, by the extension of a file. */
const LANGUAGES = new Map(Object.entries(languages));

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
