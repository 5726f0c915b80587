import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { MACHINE } from "../support/processes.ts";
import { buildSignin } from "../support/signin/program.ts";

const SOURCES = join(import.meta.dirname, "../../signin/start.mjs");
const BUNDLE = await buildSignin();

interface Started {
  child: ChildProcess;
  output(): string;
  /** Resolves with what was written once it holds `text`, or at the end. */
  until(text: string): Promise<string>;
  exit: Promise<number | null>;
}

function start(args: string[], env: Record<string, string>, main = BUNDLE): Started {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...MACHINE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let written = "";
  const waiting: (() => void)[] = [];
  const wake = () => {
    for (const look of waiting) look();
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      written += chunk;
      wake();
    });
  }
  let isClosed = false;
  const exit = once(child, "close").then(([code]) => {
    isClosed = true;
    wake();
    return code as number | null;
  });
  return {
    child,
    exit,
    output: () => written,
    until: (text) =>
      new Promise((resolve) => {
        const look = () => {
          if (written.includes(text) || isClosed) resolve(written);
        };
        waiting.push(look);
        look();
      }),
  };
}

async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const urlOf = (output: string) => /"url":"([^"]+)"/.exec(output)?.[1] ?? "";

describe("npm run signin", () => {
  it("needs no variable, keeps its secrets for the next start, and stops in order", async () => {
    await using folder = await openFolder();
    const env = { SIGNIN_DATA_DIR: folder.path, SIGNIN_PORT: "0" };
    const first = start([], env, SOURCES);
    const output = await first.until("is listening");
    assert.match(output, /generated in the data directory/);
    assert.match(output, /JWT_SECRET_KEY/);
    const health = await fetch(`${urlOf(output)}/health`);
    assert.equal(health.status, 200);
    first.child.kill("SIGTERM");
    assert.equal(await first.exit, 0);

    const second = start([], env, SOURCES);
    await second.until("is listening");
    second.child.kill("SIGINT");
    assert.equal(await second.exit, 0);
  });

  it("is one process for a data directory; a second start names the first", async () => {
    await using folder = await openFolder();
    const env = { SIGNIN_DATA_DIR: folder.path, SIGNIN_PORT: "0" };
    const first = start([], env);
    await first.until("is listening");
    const second = start([], env);
    assert.equal(await second.exit, 1);
    assert.match(second.output(), /Another sign-in server is already running on/);
    first.child.kill("SIGKILL");
    await first.exit;
    const third = start([], env);
    assert.match(await third.until("is listening"), /is listening/);
    third.child.kill("SIGTERM");
    assert.equal(await third.exit, 0);
  });

  it("refuses a taken port by name", async () => {
    await using folder = await openFolder();
    const first = start([], { SIGNIN_DATA_DIR: join(folder.path, "a"), SIGNIN_PORT: "0" });
    const port = new URL(urlOf(await first.until("is listening"))).port;
    const second = start([], { SIGNIN_DATA_DIR: join(folder.path, "b"), SIGNIN_PORT: port });
    assert.equal(await second.exit, 1);
    assert.match(second.output(), /^SIGNIN_PORT: 127\.0\.0\.1:\d+ is in use\./m);
    first.child.kill("SIGTERM");
    await first.exit;
  });

  it("generates nothing in production: every missing secret refuses the start by name", async () => {
    await using folder = await openFolder();
    const refused = start([], {
      APP_ENV: "production",
      APP_BASE_URL: "https://auth.example.com",
      APP_UI_BASE_URL: "https://app.example.com",
      SIGNIN_DATA_DIR: join(folder.path, "data"),
    });
    assert.equal(await refused.exit, 1);
    assert.match(refused.output(), /^JWT_SECRET_KEY: /m);
    assert.match(refused.output(), /^TOKEN_ENCRYPTION_KEY: /m);
  });

  it("explains itself", async () => {
    const help = start(["--help"], {}, SOURCES);
    assert.equal(await help.exit, 0);
    for (const name of ["APP_BASE_URL", "OIDC_PROVIDER_CLIENT_ID", "SIGNIN_DATA_DIR"]) {
      assert.ok(help.output().includes(name));
    }
  });

  it("counts a client by its own address, and refuses a Host that came twice", async () => {
    await using folder = await openFolder();
    const server = start([], { SIGNIN_DATA_DIR: folder.path, SIGNIN_PORT: "0" });
    const { port } = new URL(urlOf(await server.until("is listening")));
    const ask = async (head: string) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.end(`${head}\r\nConnection: close\r\n\r\n`);
      let answer = "";
      for await (const chunk of socket.setEncoding("utf8")) answer += chunk;
      return answer;
    };
    const own = `127.0.0.1:${port}`;
    const [good, twice, absolute, none] = await Promise.all([
      ask(`GET /auth/me HTTP/1.1\r\nHost: ${own}`),
      ask(`GET /auth/me HTTP/1.1\r\nHost: ${own}\r\nHost: evil.test`),
      ask(`GET http://evil.test/auth/me HTTP/1.1\r\nHost: ${own}`),
      ask("GET /auth/me HTTP/1.0"),
    ]);
    assert.match(good ?? "", /^HTTP\/1\.1 401 /);
    for (const refused of [twice, absolute, none]) {
      assert.match(refused ?? "", /^HTTP\/1\.1 400 /);
    }
    // What no Request can be made of never reaches the app, and is answered in its words all the same.
    const [odd, suffixed, target] = await Promise.all([
      ask("GET /auth/me HTTP/1.1\r\nHost: a b"),
      ask(`GET /auth/me HTTP/1.1\r\nHost: ${own}.evil.test`),
      ask(`OPTIONS * HTTP/1.1\r\nHost: ${own}`),
    ]);
    for (const [answer, code] of [
      [odd, "untrusted_host"],
      [suffixed, "untrusted_host"],
      [target, "invalid_request"],
    ] as const) {
      assert.match(answer, /^HTTP\/1\.1 400 /);
      assert.ok(answer.includes(`"code":"${code}"`), answer);
      assert.match(answer, /^cache-control: no-store\r$/im);
      assert.match(answer, /^x-content-type-options: nosniff\r$/im);
      const [, id] = /^x-request-id: (.+)\r$/im.exec(answer) ?? [];
      assert.ok(id && answer.includes(`"request_id":"${id}"`), answer);
    }
    server.child.kill("SIGTERM");
    assert.equal(await server.exit, 0);
  });
});
