import assert from "node:assert/strict";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Terminal } from "../../signin/cli/terminal.ts";
import { cli, noTerminal, openServerDatabase } from "../support/signin/cli.ts";
import {
  type CloudflareAccount,
  openCloudflareAccount,
} from "../support/signin/cloudflare-account.ts";

const FLAGS = ["--domain", "auth.example.test", "--ui", "https://app.example.test"];
const D1 = [...FLAGS, "--database", "d1"];
const CANARIES = {
  OIDC_PROVIDER_CLIENT_SECRET: "canary-oidc-5d1f0b",
  MAIL_HTTP_TOKEN: "canary-mail-77aa01",
};

const SECRET = "eyJhbGciOi.canary-5f0e.c2lnbmF0dXJl";

/** By the flag's name, and without any part of its secret. */
function assertRefusedUnseen({ code, out, error }: Awaited<ReturnType<typeof setup>>) {
  assert.equal(code, 1);
  assert.match(out + error, /--database-url must have no query/);
  for (const part of SECRET.split(".")) assert.ok(!(out + error).includes(part), out + error);
}

let account: CloudflareAccount;
beforeEach(async () => {
  account = await openCloudflareAccount();
});
afterEach(() => account[Symbol.asyncDispose]());

function setup(args: string[], terminal: Partial<Terminal> = {}) {
  const { env, folder, wrangler, fetch, time } = account;
  const parts = { folder, wrangler, fetch, time, terminal: { ...noTerminal, ...terminal } };
  return cli(env, ["setup", "workers", ...args], parts);
}

const withInput = (secrets: object) => ({ readInput: async () => JSON.stringify(secrets) });
const commandsOf = async () =>
  (await account.calls()).map(({ args }) => args.slice(0, args[0] === "deploy" ? 1 : 2).join(" "));

describe("setup workers", () => {
  it("makes the database, the file, the secrets and the tables, deploys, and waits for /ready", async () => {
    account.ready = [503, 503, 200];
    const { code, out, error } = await setup([...D1, "--yes"]);
    assert.equal(code, 0, error);
    assert.match(out, /^ok +ready: GET https:\/\/auth\.example\.test\/ready is 200$/m);
    const { secrets, databases, deployments } = await account.state();
    assert.deepEqual(secrets, ["JWT_SECRET_KEY", "TOKEN_ENCRYPTION_KEY"]);
    assert.equal(deployments, 1);
    const text = await readFile(account.file, "utf8");
    assert.ok(text.includes(`database_id = "${databases["roundhouse-signin"]}"`));
    assert.match(text, /^APP_BASE_URL = "https:\/\/auth\.example\.test"$/m);
    assert.match(
      text,
      /^routes = \[\{ pattern = "auth\.example\.test", custom_domain = true \}\]$/m,
    );
    const commands = await commandsOf();
    const last = (name: string) => commands.lastIndexOf(name);
    assert.ok(last("d1 create") < last("secret bulk"), "The secrets come before the deployment.");
    assert.ok(last("secret bulk") < last("d1 execute"));
    assert.ok(last("d1 execute") < last("deploy"), "The tables come before the deployment.");
  });

  it("changes nothing that is set when it is run again, and deploys this version", async () => {
    assert.equal((await setup([...D1, "--yes"])).code, 0);
    const first = { text: await readFile(account.file, "utf8"), ...(await account.state()) };
    const again = await setup(["--yes"]);
    assert.equal(again.code, 0, again.error);
    assert.match(again.out, /secrets: all are set/);
    assert.match(again.out, /schema: up to date/);
    const { deployments, ...rest } = await account.state();
    const { text, deployments: _, ...known } = first;
    assert.deepEqual(rest, known);
    assert.equal(deployments, 2);
    assert.equal(await readFile(account.file, "utf8"), text);
    const bulks = (await commandsOf()).filter((command) => command === "secret bulk");
    assert.equal(bulks.length, 1);
  });

  it("keeps what the operator wrote into the file, adds what is new, and renews the program's lines", async () => {
    assert.equal((await setup([...D1, "--yes"])).code, 0);
    const text = await readFile(account.file, "utf8");
    const edited = text
      .replace("[vars]\n", "[vars]\nJWT_SIGNING_ALG = 'EdDSA' # for the API\n")
      .replace(/^compatibility_date = .*$/m, 'compatibility_date = "2020-01-01"');
    await writeFile(account.file, edited);
    const added = ["--oidc-client-id", "client-1", "--yes"];
    const { code, error } = await setup(
      added,
      withInput({ OIDC_PROVIDER_CLIENT_SECRET: "s-123456789" }),
    );
    assert.equal(code, 0, error);
    const expected = text.replace(
      "[vars]\n",
      "[vars]\nOIDC_PROVIDER_CLIENT_ID = \"client-1\"\nJWT_SIGNING_ALG = 'EdDSA' # for the API\n",
    );
    assert.equal(await readFile(account.file, "utf8"), expected);
    assert.deepEqual((await account.state()).secrets.slice(2), ["OIDC_PROVIDER_CLIENT_SECRET"]);
  });

  it("refuses a flag that differs from what is set, and changes nothing", async () => {
    assert.equal((await setup([...D1, "--yes"])).code, 0);
    const before = await account.state();
    for (const [args, name] of [
      [["--domain", "other.example.test"], /--domain is https:\/\/other\.example\.test, but /],
      [["--database-url", "https://db.example.test"], /--database is libsql, but /],
      [["--name", "other"], /--name is other, but /],
    ] as const) {
      const { code, error } = await setup([...args, "--yes"]);
      assert.equal(code, 1);
      assert.match(error, name);
    }
    assert.deepEqual(await account.state(), before);
  });
});

describe("setup workers with a libSQL server", () => {
  it("makes the tables there with the token, and stores it as a secret", async () => {
    await using database = await openServerDatabase();
    const { DATABASE_URL: url = "", DATABASE_AUTH_TOKEN: token = "" } = database.env;
    const args = [...FLAGS, "--database-url", url, "--yes"];
    const { code, out, error } = await setup(args, withInput({ DATABASE_AUTH_TOKEN: token }));
    assert.equal(code, 0, error);
    assert.match(out, /schema: applied 0000_init/);
    assert.ok(!out.includes(token));
    assert.ok((await account.state()).secrets.includes("DATABASE_AUTH_TOKEN"));
    const text = await readFile(account.file, "utf8");
    assert.ok(text.includes(`DATABASE_URL = "${url}"`));
    assert.doesNotMatch(text, /d1_databases/);
    const { rows } = await database.db.$client.execute("SELECT name FROM schema_migrations");
    assert.ok(rows.length > 0);
    const again = await setup(["--yes"], withInput({ DATABASE_AUTH_TOKEN: token }));
    assert.match(again.out, /secrets: all are set[\s\S]*schema: up to date/, again.error);
    const other = ["--database-url", `${url}?authToken=${SECRET}`, "--yes"];
    assertRefusedUnseen(await setup(other));
  });
});

describe("what is missing", () => {
  const oneSentence = async (args: string[], sentence: RegExp, terminal?: Partial<Terminal>) => {
    const { code, error } = await setup(args, terminal);
    assert.equal(code, 1);
    assert.match(error, sentence);
    assert.equal(error.trim().split("\n").length, 1, error);
    assert.deepEqual(await readdir(account.folder), []);
    assert.equal((await account.state()).exists, false);
  };

  it("is a login", async () => {
    await account.change({ login: false });
    await oneSentence([], /^wrangler is not logged in to Cloudflare: run `npx wrangler login`/);
  });

  it("is the choice of an account", async () => {
    await account.change({ accounts: ["One", "Two"] });
    await oneSentence([...D1, "--yes"], /^The login has 2 accounts \(One, Two\)/);
  });

  it("is a zone", async () => {
    account.zones = ["other.test"];
    await oneSentence(
      [...D1, "--yes"],
      /^No zone of your Cloudflare account has auth\.example\.test/,
    );
  });

  it("is a flag, where there is no terminal", async () => {
    await oneSentence(["--yes"], /^--domain is missing\.$/m);
    await oneSentence(FLAGS, /^--database is missing/);
    await oneSentence([...FLAGS, "--database", "libsql"], /^--database-url is missing/);
    await oneSentence(D1, /^--yes is missing/);
  });

  it("is a secret", async () => {
    const args = [...D1, "--oauth-client-id", "client", "--yes"];
    await oneSentence(args, /^OAUTH_PROVIDER_CLIENT_SECRET: write it to standard input as JSON/);
    await oneSentence(args, /"NAME"; this server needs/, withInput({ NAME: "x" }));
    await oneSentence(args, /one JSON object/, { readInput: async () => "OAUTH=canary" });
  });

  it("is a good value", async () => {
    const bad = ["--domain", "auth.example.test/path", "--ui", "https://app.example.test"];
    await oneSentence([...bad, "--database", "d1", "--yes"], /^APP_BASE_URL: must have no path/);
    await oneSentence([...D1, "--name", "Not a name", "--yes"], /^--name must be/);
    const mail = ["--mail-from", "a@example.test", "--mail-http-format", "mailgun", "--yes"];
    await oneSentence([...D1, ...mail], /^--mail-http-url is missing/);
  });
});

describe("a failure on the way", () => {
  it("is wrangler's sentence, and the next run goes on", async () => {
    await account.change({ fails: "deploy" });
    const failed = await setup([...D1, "--yes"]);
    assert.equal(failed.code, 1);
    assert.match(failed.error, /^wrangler: something broke at Cloudflare/);
    await account.change({ fails: "" });
    assert.equal((await setup(["--yes"])).code, 0);
    assert.equal((await account.state()).secrets.length, 2);
  });

  it("of the list of secrets replaces none", async () => {
    await account.change({ fails: "secret list", exists: true, secrets: ["JWT_SECRET_KEY"] });
    assert.equal((await setup([...D1, "--yes"])).code, 1);
    assert.deepEqual((await account.state()).secrets, ["JWT_SECRET_KEY"]);
  });

  it("of /ready says how to look again", async () => {
    account.ready = [530];
    const { code, error } = await setup([...D1, "--yes"]);
    assert.equal(code, 1);
    assert.match(error, /is 530\. .*npm run signin -- smoke https:\/\/auth\.example\.test/);
  });
});

describe("--dry-run", () => {
  it("prints each command, runs none, and needs no login", async () => {
    await account.change({ login: false });
    const { code, out, error } = await setup([...D1, "--oidc-client-id", "id", "--dry-run"]);
    assert.equal(code, 0, error);
    assert.deepEqual(out.split("\n"), [
      "$ npx wrangler d1 create roundhouse-signin",
      "$ write wrangler.production.toml",
      "$ npx wrangler secret bulk --config wrangler.production.toml  # standard input: JWT_SECRET_KEY, TOKEN_ENCRYPTION_KEY, OIDC_PROVIDER_CLIENT_SECRET",
      "$ npm run signin -- migrate --d1 roundhouse-signin --remote --config wrangler.production.toml",
      "$ npx wrangler deploy --config wrangler.production.toml",
      "$ curl https://auth.example.test/ready",
      "",
    ]);
    assert.deepEqual(await account.calls(), []);
    assert.deepEqual(await readdir(account.folder), []);
  });

  it("refuses a query in the address of the database, and shows no part of it", async () => {
    for (const url of [
      `https://db.example.test?authToken=${SECRET}`,
      `libsql://db.example.test/?authToken=${SECRET}`,
      `https://db.example.test/#${SECRET}`,
      `https://user:${SECRET}@db.example.test`,
    ]) {
      for (const more of [[], ["--json"]]) {
        assertRefusedUnseen(await setup([...more, ...FLAGS, "--database-url", url, "--dry-run"]));
      }
    }
    assert.deepEqual(await account.calls(), []);
    assert.deepEqual(await readdir(account.folder), []);
  });

  it("gives programs one object a step", async () => {
    const { json } = await setup(["--json", ...D1, "--dry-run"]);
    assert.equal(json.length, 6);
    assert.deepEqual(json[1], { step: "configuration", command: "write wrangler.production.toml" });
  });
});

describe("secrets", () => {
  const PROVIDERS = ["--oidc-client-id", "client-1", "--mail-from", "signin@example.test"];

  it("go to standard input of `secret bulk`: not to arguments, variables, files or the output", async () => {
    const own = { ...account.env, OIDC_PROVIDER_CLIENT_SECRET: "canary-of-the-environment" };
    const parts = { folder: account.folder, fetch: account.fetch, time: account.time };
    const terminal = { ...noTerminal, ...withInput(CANARIES) };
    const args = ["setup", "workers", ...D1, ...PROVIDERS, "--yes"];
    const { code, out, error } = await cli(own, args, { ...parts, terminal });
    assert.equal(code, 0, error);
    const calls = await account.calls();
    const bulk = calls.find(({ args }) => args[1] === "bulk") ?? assert.fail("no secrets");
    const stored: Record<string, string> = JSON.parse(bulk.input);
    assert.deepEqual({ ...stored, ...CANARIES }, stored);
    assert.equal((await stat(account.file)).mode & 0o777, 0o600);
    const seen = [
      out,
      error,
      await readFile(account.file, "utf8"),
      ...calls.map(({ args, env }) => JSON.stringify({ args, env })),
      ...calls.filter((call) => call !== bulk).map(({ input }) => input),
    ].join("\n");
    const secrets = [...Object.values(stored), "canary-of-the-environment", "token-of-the-login"];
    assert.equal(secrets.length, 6);
    for (const secret of secrets) assert.ok(!seen.includes(secret), seen);
  });

  it("are asked for without echo, the rest as questions", async () => {
    const asked: string[] = [];
    const answers = ["auth.example.test", "app.example.test", "d1", "client-1", "", "", "y"];
    const { code, error } = await setup([], {
      isInteractive: true,
      ask: async (question) => {
        asked.push(question);
        return answers.shift() ?? assert.fail(question);
      },
      askSecret: async (question) => {
        assert.match(question, /^OIDC_PROVIDER_CLIENT_SECRET/);
        return CANARIES.OIDC_PROVIDER_CLIENT_SECRET;
      },
    });
    assert.equal(code, 0, error);
    assert.equal(asked.length, 7);
    assert.match(
      await readFile(account.file, "utf8"),
      /^APP_UI_BASE_URL = "https:\/\/app\.example\.test"$/m,
    );
    assert.equal((await account.state()).secrets.length, 3);
  });

  it("stay where they are when the deployment is not confirmed", async () => {
    const ask = async (question: string) => (question.startsWith("Go on") ? "n" : "");
    const { code, error } = await setup(D1, { isInteractive: true, ask });
    assert.equal(code, 1);
    assert.match(error, /Nothing was changed/);
    assert.deepEqual(await readdir(account.folder), []);
  });
});
