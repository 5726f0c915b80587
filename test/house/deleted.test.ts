import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { is } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { OF_THREADS, OF_WORKSPACES, REFERRING_TO_THREADS } from "../../engine/db/deleted-rows.ts";
import * as engineSchema from "../../engine/db/schema.ts";
import { readSources } from "./sources.ts";

/** The tables that refer to one, by what a delete does to them. */
function referringTo(owner: string, onDelete: string): string[] {
  const casing = new CasingCache("snake_case");
  const tables: unknown[] = Object.values(engineSchema);
  return tables
    .flatMap((table) => (is(table, SQLiteTable) ? getTableConfig(table) : []))
    .filter(({ foreignKeys }) =>
      foreignKeys.some((key) => {
        const { foreignTable, columns } = key.reference();
        const column = columns.map((each) => casing.getColumnCasing(each)).join();
        assert.match(column, /_id$/);
        return getTableConfig(foreignTable).name === owner && key.onDelete === onDelete;
      }),
    )
    .map(({ name }) => name)
    .sort();
}

describe("what is deleted in slices", () => {
  // A cascade that the removal does not know would delete rows of any number in one statement.
  it("names every table that refers to a thread or a workspace", () => {
    assert.deepEqual(Object.keys(OF_THREADS).sort(), referringTo("threads", "cascade"));
    assert.deepEqual([...REFERRING_TO_THREADS].sort(), referringTo("threads", "set null"));
    assert.deepEqual(["threads", ...OF_WORKSPACES].sort(), referringTo("workspaces", "cascade"));
    assert.deepEqual(referringTo("workspaces", "set null"), []);
  });

  it("is nothing that a store finds by uuid: its SQL asks whether the workspace is deleted", () => {
    const found = readSources("engine").flatMap(({ path, lines }) => {
      if (path.startsWith("engine/db/") || !/store\.ts$/.test(path)) return [];
      const text = lines.join("\n");
      const reads = /\b(FROM|JOIN) (workspaces|threads)\b|\.from\((workspaces|threads)\)/.test(
        text,
      );
      return reads && !/deleted_at IS NULL|isNull\(workspaces\.deletedAt\)/.test(text) ? path : [];
    });
    assert.deepEqual(found, []);
  });
});
