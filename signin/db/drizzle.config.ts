import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./signin/db/schema.ts",
  out: "./signin/db/migrations",
});
