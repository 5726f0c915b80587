import type { TestSignin } from "../../support/signin/signin.ts";

/** How many rows of each table of the schema have one of these texts in any column. Tables without one are left out. */
export async function countRowsWith(
  signin: Pick<TestSignin, "rows">,
  words: readonly string[],
): Promise<Record<string, number>> {
  const tables = await signin.rows(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await signin.rows(`SELECT * FROM "${name}"`);
    const found = rows.filter((row) => {
      const text = JSON.stringify(row).toLowerCase();
      return words.some((word) => text.includes(word.toLowerCase()));
    });
    if (found.length > 0) counts[String(name)] = found.length;
  }
  return counts;
}
