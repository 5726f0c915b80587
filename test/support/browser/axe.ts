import { join } from "node:path";
import type { Page } from "playwright-core";
import { ROOT } from "../../house/sources.ts";

/** The rules that a colour scheme can break; a page is the same in both otherwise. */
export const RULES_OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** How a page is looked at. */
interface Look {
  /** Of the window, in pixels. */
  width: number;
  colorScheme: "light" | "dark";
  /** The rules; all of them where there is none. */
  only: readonly string[] | undefined;
}

/** Two widths and both colour schemes: all four pairs, or each of the four once. */
export function looksAt(wide: number, narrow: number, { pairs }: { pairs: boolean }): Look[] {
  const light = (width: number): Look => ({ width, colorScheme: "light", only: undefined });
  const dark = (width: number, only?: readonly string[]): Look => {
    return { width, colorScheme: "dark", only };
  };
  if (!pairs) return [light(wide), dark(narrow)];
  return [wide, narrow].flatMap((width) => [light(width), dark(width, RULES_OF_COLOURS)]);
}

/** What axe finds in the page as it is: rule and elements. The context of the page must bypass its policy. */
export async function axeFaults(
  page: Page,
  { only, without = [] }: { only?: readonly string[]; without?: readonly string[] } = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.addScriptTag({ path: join(ROOT, "node_modules/axe-core/axe.min.js") });
  }
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
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
    // Else each element that passes a rule gets a selector, too.
    { ...(only ? { runOnly: only } : { rules }), resultTypes: ["violations"] },
  );
}
