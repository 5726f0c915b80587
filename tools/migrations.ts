// `npm run db:generate`: drizzle-kit writes the next SQL step of each program from its schema; this makes its tables STRICT and
// gathers all steps in a TypeScript module, for runtimes without a file system.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { installExtra } from "./extra.ts";

const DRIZZLE_KIT = "tools/extra/node_modules/.bin/drizzle-kit";

await installExtra({ dev: true });

for (const config of globSync("{engine,signin}/**/drizzle.config.ts", {
  exclude: ["**/node_modules/**"],
})) {
  execFileSync(DRIZZLE_KIT, ["generate", "--config", config, "--name", "schema"], {
    stdio: "inherit",
  });
  writeMigrationsModule(dirname(config));
}

function writeMigrationsModule(folder: string): void {
  const steps = globSync(join(folder, "migrations/*.sql")).sort();
  const entries = steps.map((path) => {
    const sql = readFileSync(path, "utf8").replace(/^\);/gm, ") STRICT;");
    writeFileSync(path, sql);
    const name = basename(path, ".sql");
    return `  {\n    name: ${JSON.stringify(name)},\n    sql: ${JSON.stringify(sql)},\n  },\n`;
  });
  const shared = folder
    .split("/")
    .map(() => "..")
    .join("/");
  const text = `// Written by \`npm run db:generate\` from the SQL files beside it.
import type { Migration } from "${shared}/shared/migrate.ts";

export const migrations: readonly Migration[] = [
${entries.join("")}];
`;
  writeFileSync(join(folder, "migrations.generated.ts"), text);
}
