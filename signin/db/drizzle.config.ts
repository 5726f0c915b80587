import { defineConfig } from "drizzle-kit";

/** For `npm run db:generate`: the sign-in server's tables, and the folder of the generated SQL. */
export default defineConfig({
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./signin/db/schema.ts",
  out: "./signin/db/migrations",
});
