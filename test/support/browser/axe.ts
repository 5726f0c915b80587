import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";

/** Brings axe into a page, whose context must bypass its policy. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addScriptTag({ path: join(ROOT, "node_modules/axe-core/axe.min.js") });
}

/** What axe finds in the page as it is: rule and elements. */
export function axeFaults(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    interface Axe {
      run(): Promise<{
        violations: { id: string; nodes: { target: string[] }[] }[];
      }>;
    }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run();
    return violations.map(
      ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}
