#!/usr/bin/env node
// A wrangler for tests: it records each call, and keeps an account in a file beside itself.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const folder = import.meta.dirname;
const args = process.argv.slice(2);
const input = readFileSync(0, "utf8");
appendFileSync(
  join(folder, "calls.jsonl"),
  `${JSON.stringify({ args, input, env: process.env })}\n`,
);
const accountFile = join(folder, "account.json");
const account = JSON.parse(readFileSync(accountFile, "utf8"));
const [first, second, third] = args;
const command = first === "deploy" || first === "whoami" ? first : `${first} ${second}`;
if (account.fails === command) fail("something broke at Cloudflare [code: 10000]");
answer();
writeFileSync(accountFile, JSON.stringify(account));

function answer() {
  switch (command) {
    case "whoami":
      if (!account.login) {
        print({ loggedIn: false });
        process.exitCode = 1;
        return;
      }
      return print({ loggedIn: true, accounts: account.accounts.map((name) => ({ name })) });
    case "auth token":
      return print({ type: "oauth", token: "token-of-the-login" });
    case "d1 list":
      return print(Object.entries(account.databases).map(([name, uuid]) => ({ name, uuid })));
    case "d1 create":
      account.databases[third] = crypto.randomUUID();
      return process.stdout.write(`Created.\n{ "database_id": "${account.databases[third]}" }\n`);
    case "d1 execute":
      return print(execute(args[args.indexOf("--command") + 1]));
    case "secret list":
      if (!account.exists) return fail(`Worker "${args[3]}" not found.`);
      return print(account.secrets.map((name) => ({ name, type: "secret_text" })));
    case "secret bulk":
      account.exists = true;
      account.secrets.push(...Object.keys(JSON.parse(input)));
      return;
    case "deploy":
      account.exists = true;
      account.deployments += 1;
  }
}

function execute(sql) {
  const database = new DatabaseSync(join(folder, "d1.db"), { enableForeignKeyConstraints: true });
  database.exec("PRAGMA busy_timeout = 10000; BEGIN");
  const results = sql.split(";\n").map((text) => ({ results: database.prepare(text).all() }));
  database.exec("COMMIT");
  return results;
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

function fail(text) {
  process.stderr.write(`\n✘ [ERROR] ${text}\n\n`);
  process.exit(1);
}
