// A peer for `npm run bench:signin`: Better Auth as its manual sets it up, on better-sqlite3 with WAL. Arguments: the data file,
// the port, and after how many seconds a session is refreshed.
import { createServer } from "node:http";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { toNodeHandler } from "better-auth/node";
import Database from "better-sqlite3";

const [, , path = ":memory:", port = "0", updateAgeSec = "86400"] = process.argv;
const database = new Database(path);
database.pragma("journal_mode = WAL");
const auth = betterAuth({
  database,
  baseURL: `http://127.0.0.1:${port}`,
  secret: "a secret for measuring, of more than thirty-two characters",
  emailAndPassword: { enabled: true },
  session: { updateAge: Number(updateAgeSec) },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: "error" },
});
const { runMigrations } = await getMigrations(auth.options);
await runMigrations();
createServer(toNodeHandler(auth)).listen(Number(port), "127.0.0.1", () => console.log("ready"));
