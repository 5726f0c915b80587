// `npm run console:generate`: writes engine/console/page.generated.ts from the files of the page.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MARK_FILE } from "../shared/mark.ts";
import { bundlePage, bundleParts } from "./page-bundle.ts";

const CONSOLE = join(import.meta.dirname, "../engine/console");
const PAGE = join(CONSOLE, "page");

/** The module from which the engine serves the console. A request reads no disk. */
export async function buildConsoleModule(): Promise<string> {
  const parts = await bundleParts(join(PAGE, "console.tsx"));
  const files: Record<string, readonly string[]> = {
    "index.html": ["text/html; charset=utf-8", await readFile(join(PAGE, "index.html"), "utf8")],
    "icon.svg": ["image/svg+xml", MARK_FILE],
    "console.css": ["text/css; charset=utf-8", await bundlePage(join(PAGE, "console.css"))],
    ...Object.fromEntries(
      parts.map(({ name, text }) => [name, ["text/javascript; charset=utf-8", text]]),
    ),
  };
  const entries = Object.entries(files).map(
    ([name, [type, text]]) =>
      `  ${JSON.stringify(name)}: { type: ${JSON.stringify(type)}, text: ${JSON.stringify(text)} },\n`,
  );
  return `// Written by \`npm run console:generate\` from the files in page/. Words for unfinished work in it are those that highlight.js marks.

/** The files of the console below \`/console/\`. */
export const CONSOLE_FILES: Readonly<Record<string, { type: string; text: string } | undefined>> = {
${entries.join("")}};
`;
}

if (import.meta.main) {
  await writeFile(join(CONSOLE, "page.generated.ts"), await buildConsoleModule());
}
