// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openEmbeddedClient } from "../../../shared/node/embedded-client.ts";
import { cli, cliProcess } from "../../support/signin/cli.ts";
import { type Mailbox, startMailbox } from "../../support/signin/mail.ts";
import { KEYS, nodeRuntime, type RunningSignin } from "../../support/signin/runtimes.ts";

const PASSWORD = "correct horse battery";
const EMAIL = "ann@example.test";

describe("the operator's commands as processes, beside a server that runs", () => {
  let folder: string;
  let mailbox: Mailbox;
  let server: RunningSignin;
  const env = () => ({ SIGNIN_DATA_DIR: folder, ...KEYS });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "roundhouse-cli-"));
    mailbox = await startMailbox(new Set());
    server = await nodeRuntime.boot({
      SIGNIN_DATA_DIR: folder,
      MAIL_TRANSPORT: "http",
      MAIL_HTTP_URL: mailbox.url,
      MAIL_HTTP_TOKEN: mailbox.token,
    });
    await post("/auth/signup/code", { email: EMAIL });
    const code = await mailbox.codeFor(EMAIL);
    await post("/auth/signup/complete", { email: EMAIL, code, password: PASSWORD });
  });

  after(async () => {
    await server[Symbol.asyncDispose]();
    await mailbox[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function post(path: string, body: unknown, status = 200) {
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    assert.equal(response.status, status, path);
    return response.json() as Promise<Record<string, string>>;
  }

  const sessionsOf = (token: string | undefined) =>
    fetch(`${server.baseUrl}/auth/sessions`, { headers: { Authorization: `Bearer ${token}` } });

  it("show who has an account", async () => {
    const { code, out } = await cliProcess(env(), ["users", "list"]);
    assert.equal(code, 0);
    assert.match(out, /ann@example\.test/);
  });

  it("end sessions, and the server knows at once", async () => {
    const { access_token } = await post("/auth/login", { email: EMAIL, password: PASSWORD });
    assert.equal((await sessionsOf(access_token)).status, 200);
    const { code, json } = await cliProcess(env(), [
      "--json",
      "sessions",
      "revoke",
      "--user",
      EMAIL,
    ]);
    assert.equal(code, 0);
    assert.ok(json[0].revoked >= 1);
    assert.equal((await sessionsOf(access_token)).status, 401);
  });

  it("copy the database while the server writes to it, whole and private", async () => {
    let isCopied = false;
    const file = join(folder, "copy.db");
    const copying = cliProcess(env(), ["backup", file]).then((result) => {
      isCopied = true;
      return result;
    });
    let writes = 0;
    while (!isCopied) {
      // Each is written to the trail; no address is over its limit, however long the copy takes.
      await post(
        "/auth/login",
        { email: `stranger${writes}@example.test`, password: PASSWORD },
        401,
      );
      writes += 1;
    }
    const { code, error } = await copying;
    assert.equal(code, 0, error);
    assert.ok(writes >= 1);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await using copy = openEmbeddedClient({ path: file, pragmas: [] });
    const check = await copy.execute("PRAGMA integrity_check");
    assert.equal(check.rows[0]?.[0], "ok");
    const users = await copy.execute("SELECT email FROM users");
    assert.deepEqual(
      users.rows.map((row) => row[0]),
      [EMAIL],
    );
  });

  it("make a copy that a new server runs on", async () => {
    const restored = await mkdtemp(join(tmpdir(), "roundhouse-cli-"));
    const backup = await cli(env(), ["backup", join(restored, "signin.db")]);
    assert.equal(backup.code, 0, backup.error);
    const second = await nodeRuntime.boot({ SIGNIN_DATA_DIR: restored });
    const response = await fetch(`${second.baseUrl}/auth/login`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
    });
    assert.equal(response.status, 200);
    await second[Symbol.asyncDispose]();
    await rm(restored, { recursive: true, force: true });
  });

  it("never copy over what is there, a link included", async () => {
    const taken = join(folder, "taken");
    await writeFile(taken, "precious");
    const dangling = join(folder, "link");
    await symlink(join(folder, "nowhere"), dangling);
    for (const path of [taken, dangling, folder, join(folder, "signin.db")]) {
      const { code, error } = await cli(env(), ["backup", path]);
      assert.equal(code, 1, path);
      assert.match(error, /already exists/);
    }
    const missing = await cli(env(), ["backup", join(folder, "no", "folder.db")]);
    assert.equal(missing.code, 1);
    assert.match(missing.error, /does not exist/);
    const { size } = await stat(taken);
    assert.equal(size, "precious".length);
  });

  it("clean up and check keys", async () => {
    assert.equal((await cli(env(), ["cleanup"])).code, 0);
    assert.equal((await cli(env(), ["keys", "check"])).code, 0);
  });

  it("do not migrate under the server's feet", async () => {
    const open = openEmbeddedClient({ path: join(folder, "signin.db"), pragmas: [] });
    const { rows } = await open.execute("SELECT * FROM schema_migrations");
    await open.execute("DELETE FROM schema_migrations");
    const { code, error } = await cli(env(), ["migrate"]);
    assert.equal(code, 1);
    assert.match(error, /Stop it/);
    for (const row of rows) {
      await open.execute({
        sql: "INSERT INTO schema_migrations (name, checksum, applied_at) VALUES (?, ?, ?)",
        args: [row.name ?? "", row.checksum ?? "", row.applied_at ?? ""],
      });
    }
    await open[Symbol.asyncDispose]();
    const again = await cli(env(), ["--json", "migrate"]);
    assert.equal(again.json[0].pending, "none");
  });

  it("need no secret to help, and say what went wrong on standard error", async () => {
    const help = await cliProcess({}, ["--help"]);
    assert.equal(help.code, 0);
    assert.match(help.out, /JWT_SECRET_KEY/);
    const wrong = await cliProcess({}, ["nonsense"]);
    assert.equal(wrong.code, 1);
    assert.equal(wrong.out, "");
    assert.match(wrong.error, /unknown command/);
  });
});
