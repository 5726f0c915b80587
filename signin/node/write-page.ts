// `npm run page:generate`: makes signin/page/page.generated.ts from the page's own files.
import { writeFile } from "node:fs/promises";
import { buildPageModule } from "./build-page.ts";

await writeFile(new URL("../page/page.generated.ts", import.meta.url), await buildPageModule());
