// `npm run page:generate`: writes signin/page/page.generated.ts from the page's own files.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundlePage } from "./page-bundle.ts";

const PAGE = join(import.meta.dirname, "../signin/page");

/** The module from which both runtimes serve the page: a Worker has no files, and a request reads no disk. */
export async function buildPageModule(): Promise<string> {
  const [css, script] = await Promise.all([
    bundlePage(join(PAGE, "page.css")),
    bundlePage(join(PAGE, "client/main.ts")),
  ]);
  const entries = Object.entries({ PAGE_STYLE: css, PAGE_SCRIPT: script });
  const constants = entries.map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`,
  );
  return `// Written by \`npm run page:generate\` from the files beside it.\n\n${constants.join("")}`;
}

if (import.meta.main) {
  await writeFile(join(PAGE, "page.generated.ts"), await buildPageModule());
}
