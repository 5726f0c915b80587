/** For `npm run db:generate`: the sign-in server's tables, and the folder of the generated SQL. */
// What `npm run db:generate` reads.
export default {
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./signin/db/schema.ts",
  out: "./signin/db/migrations",
};
