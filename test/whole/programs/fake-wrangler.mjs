#!/usr/bin/env node
// A wrangler for tests: it records each call, and keeps an account in a file of its folder.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

if (import.meta.main) {
  const call = { args: process.argv.slice(2), input: readFileSync(0, "utf8"), env: process.env };
  const { code, out, error } = runFakeWrangler(import.meta.dirname, call);
  process.stdout.write(out);
  process.stderr.write(error);
  process.exitCode = code;
}

/** The same within the process of a test. */
export function runFakeWrangler(folder, call) {
  appendFileSync(join(folder, "calls.jsonl"), `${JSON.stringify(call)}\n`);
  const accountFile = join(folder, "account.json");
  const account = JSON.parse(readFileSync(accountFile, "utf8"));
  const [first, second] = call.args;
  const command = first === "deploy" || first === "whoami" ? first : `${first} ${second}`;
  if (account.fails === command) return failure("something broke at Cloudflare [code: 10000]");
  const result = answer(command, { ...call, account, folder });
  writeFileSync(accountFile, JSON.stringify(account));
  return result;
}

function answer(command, { args, input, account, folder }) {
  switch (command) {
    case "whoami":
      if (!account.login) return { ...json({ loggedIn: false }), code: 1 };
      return json({ loggedIn: true, accounts: account.accounts.map((name) => ({ name })) });
    case "auth token":
      return json({ type: "oauth", token: "token-of-the-login" });
    case "d1 list":
      return json(Object.entries(account.databases).map(([name, uuid]) => ({ name, uuid })));
    case "d1 create":
      account.databases[args[2]] = crypto.randomUUID();
      return success(`Created.\n{ "database_id": "${account.databases[args[2]]}" }\n`);
    case "d1 execute":
      return json(execute(folder, args[args.indexOf("--command") + 1]));
    case "secret list":
      if (!account.exists) return failure(`Worker "${args[3]}" not found.`);
      return json(account.secrets.map((name) => ({ name, type: "secret_text" })));
    case "secret bulk":
      account.exists = true;
      account.secrets.push(...Object.keys(JSON.parse(input)));
      return success("");
    case "deploy":
      account.exists = true;
      account.deployments += 1;
  }
  return success("");
}

function execute(folder, sql) {
  const database = new DatabaseSync(join(folder, "d1.db"), { enableForeignKeyConstraints: true });
  try {
    database.exec("PRAGMA busy_timeout = 10000; BEGIN");
    const results = sql.split(";\n").map((text) => ({ results: database.prepare(text).all() }));
    database.exec("COMMIT");
    return results;
  } finally {
    database.close();
  }
}

function success(out) {
  return { code: 0, out, error: "" };
}

function json(value) {
  return success(`${JSON.stringify(value)}\n`);
}

function failure(text) {
  return { code: 1, out: "", error: `\n✘ [ERROR] ${text}\n\n` };
}
