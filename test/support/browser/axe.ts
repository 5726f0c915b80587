import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";

/** Brings axe into a page, whose context must bypass its policy. */
export async function loadAxe(page: Page): Promise<void> {
  await page.addScriptTag({ path: join(ROOT, "node_modules/axe-core/axe.min.js") });
}

/** What axe finds in the page as it is: rule and elements. */
export function axeFaults(page: Page, withoutRules: readonly string[] = []): Promise<string[]> {
  const rules = Object.fromEntries(withoutRules.map((rule) => [rule, { enabled: false }]));
  return page.evaluate(
    async (options) => {
      interface Axe {
        run(options: object): Promise<{
          violations: { id: string; nodes: { target: string[] }[] }[];
        }>;
      }
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options);
      return violations.map(
        ({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
    },
    { rules },
  );
}
