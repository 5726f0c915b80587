// What `npm run db:generate` reads.
export default {
  dialect: "sqlite",
  casing: "snake_case",
  schema: "./engine/db/schema.ts",
  out: "./engine/db/migrations",
};
