import { defineConfig } from "drizzle-kit";

export default defineConfig({
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./engine/db/schema.ts",
  out: "./engine/db/migrations",
});
