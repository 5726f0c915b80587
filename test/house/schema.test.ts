import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "node:test";
import { is } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import { getTableConfig, type SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import Connection from "libsql";
import * as engineSchema from "../../engine/db/schema.ts";
import type { Migration } from "../../shared/migrate.ts";
import { ROOT } from "./sources.ts";

// Every program that has tables, by the folder of its schema and migrations.
const FOLDERS = globSync("{engine,signin}/**/migrations.generated.ts", { cwd: ROOT })
  .map((path) => path.replace("/migrations.generated.ts", ""))
  .sort();

async function load(folder: string): Promise<{ tables: SQLiteTable[]; migrations: Migration[] }> {
  const schema: object = await import(join(ROOT, folder, "schema.ts"));
  const { migrations } = await import(join(ROOT, folder, "migrations.generated.ts"));
  return { tables: Object.values(schema).filter((value) => is(value, SQLiteTable)), migrations };
}

it("the engine's schema is among those that are compared", () => {
  assert.ok(FOLDERS.includes("engine/db"));
  assert.ok(Object.keys(engineSchema).length > 0);
});

for (const folder of FOLDERS) {
  describe(`the tables of ${folder}`, () => {
    it("are, once all steps are applied, the ones that the schema declares", async () => {
      const { tables, migrations } = await load(folder);
      const connection = new Connection(":memory:");
      for (const { sql } of migrations) {
        for (const statement of sql.split("--> statement-breakpoint")) connection.exec(statement);
      }
      const declared = Object.fromEntries(tables.map(describeTable));
      const applied = Object.fromEntries(
        Object.keys(declared).map((name) => [name, describeApplied(connection, name)]),
      );
      assert.deepEqual(applied, declared);
      assert.deepEqual(tableNames(connection), Object.keys(declared).sort());
    });

    it("are made by exactly the SQL files of the tree, in STRICT tables", async () => {
      const { migrations } = await load(folder);
      const files = globSync(`${folder}/migrations/*.sql`, { cwd: ROOT }).sort();
      assert.deepEqual(
        migrations,
        files.map((path) => ({
          name: basename(path, ".sql"),
          sql: readFileSync(join(ROOT, path), "utf8"),
        })),
      );
      for (const { sql } of migrations) {
        const creations = sql.match(/^CREATE TABLE [\s\S]*?;$/gm) ?? [];
        for (const creation of creations) assert.match(creation, /\) STRICT(, WITHOUT ROWID)?;$/);
      }
    });
  });
}

interface Described {
  columns: string[];
  references: string[];
  uniques: string[];
  indexes: string[];
}

function describeTable(table: SQLiteTable): [string, Described] {
  const { name, columns, foreignKeys, indexes, uniqueConstraints, primaryKeys } =
    getTableConfig(table);
  const keys = new Set(primaryKeys.flatMap((key) => key.columns));
  const isKey = (column: SQLiteColumn) => column.primary || keys.has(column);
  const casing = new CasingCache("snake_case");
  const nameOf = (column: SQLiteColumn) => casing.getColumnCasing(column);
  const references = foreignKeys.map((key) => {
    const { columns: from, foreignColumns, foreignTable } = key.reference();
    const target = getTableConfig(foreignTable).name;
    const to = foreignColumns.map(nameOf).join();
    return `${from.map(nameOf).join()} → ${target}(${to}) ${key.onDelete ?? "no action"}`;
  });
  const uniques = [
    ...columns.flatMap((column) => (column.isUnique ? nameOf(column) : [])),
    ...uniqueConstraints.map((constraint) => constraint.columns.map(nameOf).join()),
  ];
  return [
    name,
    {
      columns: columns
        .map((column) => {
          const required = column.notNull && !isKey(column) ? " not null" : "";
          const key = isKey(column) ? " primary key" : "";
          return `${nameOf(column)} ${column.getSQLType().toUpperCase()}${required}${key}`;
        })
        .sort(),
      references: references.sort(),
      uniques: uniques.sort(),
      indexes: indexes
        .map(({ config }) => `${config.unique ? "unique " : ""}${config.name}`)
        .sort(),
    },
  ];
}

function describeApplied(connection: Connection.Database, table: string): Described {
  const all = <Row>(sql: string) => connection.prepare(sql).all() as Row[];
  const columns = all<{ name: string; type: string; notnull: number; pk: number }>(
    `SELECT name, type, "notnull", pk FROM pragma_table_info('${table}')`,
  );
  const references = all<{ from: string; table: string; to: string; on_delete: string }>(
    `SELECT "from", "table", "to", on_delete FROM pragma_foreign_key_list('${table}')`,
  );
  const indexes = all<{ name: string; unique: number; origin: string; sql: string | null }>(
    `SELECT list.name, list."unique", list.origin, master.sql
     FROM pragma_index_list('${table}') list LEFT JOIN sqlite_master master ON master.name = list.name`,
  );
  // `.unique()` becomes an index named so; it stands among the uniques there.
  const isUnique = ({ name }: { name: string }) =>
    name.endsWith("_unique") || name.startsWith("sqlite_autoindex");
  const columnsOf = (index: string) =>
    all<{ name: string }>(`SELECT name FROM pragma_index_info('${index}')`)
      .map(({ name }) => name)
      .join();
  return {
    columns: columns
      .map(({ name, type, notnull, pk }) => {
        const required = notnull && !pk ? " not null" : "";
        return `${name} ${type}${required}${pk ? " primary key" : ""}`;
      })
      .sort(),
    references: references
      .map((key) => `${key.from} → ${key.table}(${key.to}) ${key.on_delete.toLowerCase()}`)
      .sort(),
    uniques: indexes
      .filter((index) => isUnique(index) && index.origin !== "pk")
      .map(({ name }) => columnsOf(name))
      .sort(),
    indexes: indexes
      .filter((index) => !isUnique(index))
      .map(({ name, unique }) => `${unique ? "unique " : ""}${name}`)
      .sort(),
  };
}

function tableNames(connection: Connection.Database): string[] {
  // Without virtual tables, which the schema cannot declare, and what SQLite makes for them.
  const sql =
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'";
  return (connection.prepare(sql).all() as { name: string }[]).map(({ name }) => name).sort();
}
