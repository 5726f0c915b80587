// `npm run page:generate`: writes the modules of the page and of the development mailbox from their own files.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundlePage } from "./page-bundle.ts";

const PAGE = join(import.meta.dirname, "../signin/page");
const MAILBOX = join(import.meta.dirname, "../signin/node/development-mailbox");

/** The module from which both runtimes serve the page: a Worker has no files, and a request reads no disk. */
export async function buildPageModule(): Promise<string> {
  return toModule({
    PAGE_STYLE: await bundlePage(join(PAGE, "page.css")),
    PAGE_SCRIPT: await bundlePage(join(PAGE, "client/main.tsx")),
  });
}

/** The module from which Node serves the development mailbox. */
export async function buildMailboxModule(): Promise<string> {
  return toModule({
    MAILBOX_STYLE: await bundlePage(join(MAILBOX, "page.css")),
    MAILBOX_SCRIPT: await bundlePage(join(MAILBOX, "client.ts")),
  });
}

function toModule(texts: Record<string, string>): string {
  const constants = Object.entries(texts).map(
    ([name, text]) => `export const ${name} = ${JSON.stringify(text)};\n`,
  );
  return `// Written by \`npm run page:generate\` from the files beside it.\n\n${constants.join("")}`;
}

if (import.meta.main) {
  await writeFile(join(PAGE, "page.generated.ts"), await buildPageModule());
  await writeFile(join(MAILBOX, "page.generated.ts"), await buildMailboxModule());
}
