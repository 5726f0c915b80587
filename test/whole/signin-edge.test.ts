import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startLibsqlServer } from "../../dev/libsql-server/libsql-server.ts";
import { ROOT } from "../house/sources.ts";
import { freePort } from "../support/fake-server.ts";
import { MACHINE, NO_PROC, startByNpm } from "../support/processes.ts";
import { cliProcess } from "../support/signin/cli.ts";
import { PASSWORD, type Tokens } from "../support/signin/harness.ts";
import { stopByNpm } from "../support/signin/npm-stop.ts";
import { KEYS } from "../support/signin/runtimes.ts";
import { UserAgent } from "../support/signin/user-agent.ts";
import { until } from "../support/time.ts";

const ENTRIES = { edge: "dev/start-edge.mjs", main: "signin/start.mjs" };

/** One of the two development programs, as `npm run` starts it. */
function start(program: keyof typeof ENTRIES, variables: Record<string, string>) {
  const chunks: string[] = [];
  const child = spawn(process.execPath, [join(ROOT, ENTRIES[program])], {
    env: { ...MACHINE, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Not "exit": what it wrote may arrive after that.
  const exited = once(child, "close") as Promise<[number | null]>;
  const output = () => chunks.join("");
  const listens = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        chunks.push(chunk);
        if (output().includes("is listening")) resolve();
      });
    }
    child.on("close", () => reject(new Error(`It stopped: ${output()}`)));
  });
  // Who expects it to stop waits for `exited`.
  listens.catch(() => {});
  const stop = async (signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> => {
    child.kill(signal);
    return (await exited)[0];
  };
  // A test that fails must leave no process behind: the run would wait for it.
  return { listens, exited, output, stop, [Symbol.asyncDispose]: () => stop().then(() => {}) };
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), "roundhouse-edge-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

describe("npm run signin:edge", () => {
  it("G19 needs no variable but obeys each, keeps its data where Node finds it, and stops in order with all that it started", {
    skip: NO_PROC,
  }, async () => {
    await using folder = await temporaryFolder();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const shared = { SIGNIN_PORT: String(port), SIGNIN_DATA_DIR: folder.path };
    const agent = new UserAgent(url, new Set());
    await using edge = startByNpm("signin:edge", {
      ...shared,
      OAUTH_PROVIDER_CLIENT_ID: "x",
      OAUTH_PROVIDER_CLIENT_SECRET: "y",
      OAUTH_PROVIDER_SLUG: "forge",
      OAUTH_PROVIDER_AUTHORIZE_URL: "http://127.0.0.1:9/authorize",
    });
    await edge.said("is listening");
    assert.match((await agent.get("/")).text, /Continue with Forge/);
    const document = await agent.get("/openapi.json");
    assert.match(document.text, /"operationId":"loginPassword"/, "a part of the bundle");
    const begun = await agent.get("/auth/forge/login");
    assert.equal(begun.location?.origin, "http://127.0.0.1:9");
    const email = "edge@example.test";
    assert.equal((await agent.post("/auth/signup/code", { email })).status, 200);
    const code = await until("The code", () => /"?\b(\d{8})\b/.exec(edge.output())?.[1]);
    const made = await agent.post("/auth/signup/complete", { email, code, password: PASSWORD });
    assert.equal(made.status, 200, made.text);

    await using second = start("edge", { ...shared, SIGNIN_PORT: String(await freePort()) });
    assert.equal((await second.exited)[0], 1, "one program for a data directory");
    assert.match(second.output(), /is already running on/);
    await stopByNpm(edge, { folder: folder.path, url, child: /workerd/ });

    await using node = start("main", shared);
    await node.listens;
    const login = await agent.post("/auth/login", { email, password: PASSWORD });
    assert.equal(login.status, 200, login.text);
    const { access_token: bearer } = made.json<Tokens>();
    assert.equal((await agent.get("/auth/me", { bearer })).status, 200, "the same keys, too");
    assert.equal(await node.stop("SIGINT"), 0);
  });

  it("refuses by name: a half-configured provider, and a port that is taken", async () => {
    await using folder = await temporaryFolder();
    await using half = start("edge", {
      SIGNIN_DATA_DIR: folder.path,
      OIDC_PROVIDER_CLIENT_ID: "x",
    });
    assert.equal((await half.exited)[0], 1);
    assert.match(half.output(), /OIDC_PROVIDER_CLIENT_SECRET/);
    assert.doesNotMatch(half.output(), /\n\s+at /, "one sentence, no stack");
  });
});

describe("npm run signin:edge with production settings", () => {
  const production = (port: number) => ({
    APP_ENV: "production",
    APP_BASE_URL: `https://127.0.0.1:${port}`,
    APP_UI_BASE_URL: `https://127.0.0.1:${port}/`,
    SIGNIN_PORT: String(port),
    ...KEYS,
  });

  /** Over wrangler's own certificate, which no client trusts. */
  function getOverTls(port: number, path: string): Promise<{ status: number; headers: Headers }> {
    return new Promise((resolve, reject) => {
      const url = `https://127.0.0.1:${port}${path}`;
      get(url, { rejectUnauthorized: false, agent: false }, (response) => {
        response.resume();
        const headers = new Headers(response.headers as Record<string, string>);
        resolve({ status: response.statusCode ?? 0, headers });
      }).on("error", reject);
    });
  }

  it("G21 runs over https on its own database, with the rules of production", async () => {
    await using folder = await temporaryFolder();
    const port = await freePort();
    const variables = { ...production(port), SIGNIN_DATA_DIR: folder.path };
    await using half = start("edge", {
      ...variables,
      OIDC_PROVIDER_CLIENT_ID: "x",
      OIDC_PROVIDER_CLIENT_SECRET: "y",
      OIDC_PROVIDER_ISSUER: "http://op.test",
    });
    assert.equal((await half.exited)[0], 1);
    assert.match(half.output(), /OIDC_PROVIDER_ISSUER: must be https/);

    await using edge = start("edge", variables);
    await edge.listens;
    assert.match(edge.output(), new RegExp(`"url":"https://127\\.0\\.0\\.1:${port}"`));
    const ready = await getOverTls(port, "/ready");
    assert.equal(ready.status, 200, edge.output());
    assert.match(ready.headers.get("strict-transport-security") ?? "", /max-age/);
    assert.equal(await edge.stop(), 0, edge.output());
  });

  it("G22 runs on the database of DATABASE_URL, and never migrates it", async () => {
    await using folder = await temporaryFolder();
    const authToken = "token-of-the-database";
    const path = join(folder.path, "remote.db");
    await using server = await startLibsqlServer({ path, authToken });
    const port = await freePort();
    const variables = {
      ...production(port),
      SIGNIN_DATA_DIR: join(folder.path, "data"),
      DATABASE_URL: server.url,
      DATABASE_AUTH_TOKEN: authToken,
    };
    await using edge = start("edge", variables);
    await edge.listens;
    assert.equal((await getOverTls(port, "/ready")).status, 503, "an empty database");
    const { code, error } = await cliProcess(variables, ["migrate"]);
    assert.equal(code, 0, error);
    assert.equal((await getOverTls(port, "/ready")).status, 200);
    assert.equal((await getOverTls(port, "/auth/me")).status, 401);
    assert.equal(await edge.stop(), 0, edge.output());
    assert.equal(existsSync(join(folder.path, "data/signin.db")), false);
  });

  it("says in one sentence that wrangler is not installed", async () => {
    await using folder = await temporaryFolder();
    const hook = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name === "wrangler") throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
        return next(name, context);
      } });`;
    await using edge = start("edge", {
      SIGNIN_DATA_DIR: folder.path,
      SIGNIN_PORT: String(await freePort()),
      NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}`,
    });
    assert.equal((await edge.exited)[0], 1);
    assert.match(edge.output(), /^signin:edge needs wrangler[^\n]*\n$/);
  });
});
