// Stands in the Worker's bundle for drizzle's relational queries (wrangler.toml): this program writes its joins, and has no
// use for them and for the PostgreSQL columns that they bring along.

function unused(): never {
  throw new Error("Relational queries are not part of the Worker.");
}

export const createTableRelationsHelpers = unused;
export const extractTablesRelationalConfig = unused;
export const getOperators = unused;
export const getOrderByOperators = unused;
export const mapRelationalRow = unused;
export const normalizeRelation = unused;
export class Many {}
export class One {}
