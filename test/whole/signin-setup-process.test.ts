import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { ROOT } from "../house/sources.ts";
import { MACHINE } from "../support/processes.ts";
import { cli, cliProcess, noTerminal } from "../support/signin/cli.ts";
import { openCloudflareAccount } from "../support/signin/cloudflare-account.ts";
import { buildWorker, bundleWorker } from "../support/worker.ts";

const FLAGS = ["--domain", "auth.example.test", "--ui", "https://app.example.test"];
const SECRET = "canary-typed-without-echo";
const PSEUDO_TERMINAL =
  spawnSync("script", ["--version"]).status === 0
    ? false
    : "`script` (util-linux) is not installed";

describe("setup workers as a process", () => {
  it("says what is missing without a login, and shows the steps without one", async () => {
    await using account = await openCloudflareAccount();
    await account.change({ login: false });
    const place = { cwd: account.folder };
    const refused = await cliProcess(account.env, ["setup", "workers", "--yes"], place);
    assert.equal(refused.code, 1);
    assert.match(refused.error, /^wrangler is not logged in/);
    const args = ["setup", "workers", ...FLAGS, "--database", "d1", "--dry-run"];
    const shown = await cliProcess(account.env, args, place);
    assert.equal(shown.code, 0, shown.error);
    assert.equal(shown.out.trim().split("\n").length, 6);
  });

  it("reads secrets as JSON from standard input", async () => {
    await using account = await openCloudflareAccount();
    const args = [
      "setup",
      "workers",
      ...FLAGS,
      "--database",
      "d1",
      "--oidc-client-id",
      "c",
      "--yes",
    ];
    // Nothing listens there: the zone is not checked, and the first step fails, after the secrets were read.
    const env = { ...account.env, CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9" };
    await account.change({ fails: "d1 list" });
    const input = JSON.stringify({ OIDC_PROVIDER_CLIENT_SECRET: SECRET });
    const read = await cliProcess(env, args, { cwd: account.folder, input });
    assert.match(read.error, /^wrangler: something broke/);
    assert.ok(!(read.out + read.error).includes(SECRET));
    const none = await cliProcess(env, args, { cwd: account.folder });
    assert.match(none.error, /^OIDC_PROVIDER_CLIENT_SECRET: write it to standard input/);
  });

  it("asks on a terminal, and does not show a secret", { skip: PSEUDO_TERMINAL }, async () => {
    await using account = await openCloudflareAccount();
    await account.change({ fails: "d1 list" });
    const main = join(ROOT, "signin/start.mjs");
    const command = `'${process.execPath}' '${main}' setup workers --database d1 --mail-from a@example.test`;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: account.folder,
      env: { ...MACHINE, ...account.env, CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const dialogue: [question: string, answer: string][] = [
      ["Public domain", "auth.example.testt\u007f"],
      ["user interface", "app.example.test"],
      ["at Google", "client-1"],
      ["at GitHub", ""],
      ["OIDC_PROVIDER_CLIENT_SECRET", SECRET],
      ["MAIL_HTTP_TOKEN", SECRET.toUpperCase()],
      ["Continue?", "y"],
    ];
    let screen = "";
    let answered = 0;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      screen += chunk;
      const [question, answer] = dialogue[0] ?? [];
      if (question === undefined || !screen.slice(answered).includes(question)) return;
      dialogue.shift();
      answered = screen.length;
      child.stdin.write(`${answer}\r`);
    });
    await once(child, "close");
    assert.deepEqual(dialogue, [], screen);
    assert.match(screen, /deploys roundhouse-signin to https:\/\/auth\.example\.test\./);
    assert.match(screen, /wrangler: something broke at Cloudflare/);
    assert.ok(!screen.toLowerCase().includes(SECRET), screen);
  });
});

describe("Ctrl-C at a secret", () => {
  it("ends the command with 1, and the terminal shows again what is typed", {
    skip: PSEUDO_TERMINAL,
  }, async () => {
    await using account = await openCloudflareAccount();
    const main = join(ROOT, "signin/start.mjs");
    const flags = [...FLAGS, "--database", "libsql", "--database-url", "https://db.example.test"];
    const setup = [process.execPath, main, "setup", "workers", ...flags];
    const optional = ["--oidc-client-id", "c", "--oauth-client-id", "c", "--mail-from", "a@b.test"];
    const command = [...setup, ...optional].map((part) => `'${part}'`).join(" ");
    const child = spawn("script", ["-qec", `${command}; echo "code=$?"; stty -a`, "/dev/null"], {
      cwd: account.folder,
      env: { ...MACHINE, ...account.env, CLOUDFLARE_API_BASE_URL: "http://127.0.0.1:9" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let screen = "";
    let isAsked = false;
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      screen += chunk;
      if (isAsked || !screen.includes("_AUTH_TOKEN")) return;
      isAsked = true;
      child.stdin.write(`${SECRET}\u0003`);
    });
    await once(child, "close");
    assert.match(screen, /Stopped\. Run the command again to continue\.\r\ncode=1\r\n/);
    assert.match(screen, / icanon /);
    assert.match(screen, / echo /);
    assert.ok(!screen.includes(SECRET), screen);
  });
});

describe("wrangler.production.toml", () => {
  it("makes the same Worker as wrangler.toml, without a warning", async () => {
    await using account = await openCloudflareAccount();
    const { env, fetch, time } = account;
    const folder = await mkdtemp(join(tmpdir(), "roundhouse-setup-"));
    try {
      const args = ["setup", "workers", ...FLAGS, "--database", "d1", "--yes"];
      const parts = { folder, fetch, time, terminal: noTerminal };
      const { code, error } = await cli(env, args, parts);
      assert.equal(code, 0, error);
      const config = join(folder, "wrangler.production.toml");
      const [ours, theirs] = await Promise.all([
        bundleWorker(config, join(folder, "out")).then(gzipSize),
        buildWorker().then(gzipSize),
      ]);
      assert.ok(Math.abs(ours - theirs) < 1024, `${ours} bytes, not ${theirs}`);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("is in no commit", async () => {
    const ignored = await readFile(join(ROOT, ".gitignore"), "utf8");
    assert.ok(ignored.split("\n").includes("wrangler.production.toml"));
  });
});

async function gzipSize(file: string): Promise<number> {
  return gzipSync(await readFile(file)).length;
}
