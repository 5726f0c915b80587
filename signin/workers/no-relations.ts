// Replaces drizzle's relational queries in the Worker's bundle (wrangler.toml). This program does not use them, and they
// import the PostgreSQL columns.

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
