import type { z } from "@hono/zod-openapi";
import { toSnakeName } from "../../shared/client/names.ts";
import { LIST_DIRECT_ROWS_MAX, LIST_PAGE_BYTES } from "../limits.ts";

/** The rows of a list, their order and their JSON. All parts are SQL with named arguments. */
export interface ListShape {
  from: string;
  where: string;
  /** Expressions of an index, all in one direction; the last one is unique. */
  order: readonly string[];
  direction: "ASC" | "DESC";
  /** One entry as JSON; NULL leaves the row out. */
  item: string;
  /** The approximate size of the entry. */
  bytes: string;
}

/** The part of a list that one statement reads. */
interface Window {
  /** How many rows; SQL. */
  rows: string;
  /** The key before them, if there is one; SQL. */
  after?: readonly string[] | undefined;
}

/** One statement: checks the sizes first, and writes the entries only if they are few. */
export function shortQuery(shape: ListShape): string {
  const limit = String(LIST_DIRECT_ROWS_MAX + 1);
  const isShort = `count <= ${LIST_DIRECT_ROWS_MAX} AND bytes <= ${LIST_PAGE_BYTES}`;
  // The rows of a subquery with ORDER BY and LIMIT arrive in that order; to sort them again costs a fifth.
  const window = { rows: limit };
  const items = `SELECT group_concat(item, ',') FROM (${windowOf(shape, itemOf(shape), window)})`;
  const size = windowOf(shape, `${shape.bytes} AS bytes`, window);
  return `SELECT ${isShort} AS is_short, CASE WHEN ${isShort} THEN (${items}) END AS items
    FROM (SELECT count(*) AS count, total(bytes) AS bytes FROM (${size}))`;
}

interface PageStatements {
  /** How many rows the page has, their bytes, and the key of its last row; the key is NULL if it is not full. */
  measure: string;
  items: string;
}

/** Both take the arguments of the shape, `pageRows`, and the key of the page before (`key0`, …), if there is one. */
export function pageStatements(shape: ListShape, isLater: boolean): PageStatements {
  const after = isLater ? shape.order.map((_, at) => `:key${at}`) : undefined;
  const window = { rows: ":pageRows", after };
  const key = shape.order.map((order, at) => `${order} AS key${at}`).join(", ");
  const size = windowOf(shape, `${shape.bytes} AS bytes`, window);
  const end = windowOf(shape, key, window, `1 OFFSET ${window.rows} - 1`);
  return {
    measure: `SELECT count, bytes, last.*
      FROM (SELECT count(*) AS count, total(bytes) AS bytes FROM (${size})) LEFT JOIN (${end}) AS last`,
    // A text that ends as a blob is never decoded and encoded on its way to the socket.
    items: `SELECT CAST(group_concat(item, ',') AS BLOB) FROM (${windowOf(shape, itemOf(shape), window)})`,
  };
}

/** The next rows in the order of the list. */
function windowOf(
  { from, where, order, direction }: ListShape,
  columns: string,
  window: Window,
  limit = window.rows,
): string {
  const { after } = window;
  const beyond = direction === "ASC" ? ">" : "<";
  const rest = after ? ` AND (${order.join(", ")}) ${beyond} (${after.join(", ")})` : "";
  const sorted = order.map((key) => `${key} ${direction}`).join(", ");
  return `SELECT ${columns} FROM ${from} WHERE ${where}${rest} ORDER BY ${sorted} LIMIT ${limit}`;
}

function itemOf({ item }: ListShape): string {
  return `${item} AS item`;
}

/** SQL that writes a JSON object. The values are SQL, by their names on the wire. */
export function jsonObject(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `json_object(${pairs.join(", ")})`;
}

/**
 * SQL that writes an object of the wire: each field is the column of its name in a table, unless `fields` has other SQL. The
 * table has its dot: `turns.`.
 */
export function jsonOf<Schema extends z.ZodObject>(
  { shape }: Schema,
  fields: { readonly [Name in keyof z.infer<Schema>]?: string } = {},
  table = "",
): string {
  const given: Readonly<Record<string, string | undefined>> = fields;
  const values = Object.keys(shape).map((name) => [name, given[name] ?? table + toSnakeName(name)]);
  return jsonObject(Object.fromEntries(values));
}

/** SQL that counts the bytes of texts, without reading them. */
export function bytesOf(...columns: readonly string[]): string {
  return columns.map((column) => `coalesce(octet_length(${column}), 0)`).join(" + ");
}
