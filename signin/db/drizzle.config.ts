import { defineConfig } from "drizzle-kit";

/** For `npm run db:generate`: where drizzle-kit finds the sign-in server's tables, and where its SQL goes. */
export default defineConfig({
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./signin/db/schema.ts",
  out: "./signin/db/migrations",
});
