import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";
import { showRoute } from "./console.ts";

/** The paths of all pages of the console. Its list is a module for browsers, so it is read as text. */
export const PAGE_PATHS: readonly string[] = [
  ...readFileSync(join(ROOT, "engine/console/page/pages.ts"), "utf8").matchAll(/path: "([\w-]+)"/g),
].map(([, path = ""]) => path);

/** Goes to a page by its address, and waits until it is shown and has asked the engine for what it shows. */
export async function visitPage(page: Page, path: string): Promise<void> {
  await showRoute(page, path);
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(
    () => document.querySelector("main progress, [aria-busy=true]") === null,
  );
}
