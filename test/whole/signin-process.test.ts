import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { closeOf } from "../support/http.ts";
import { MACHINE } from "../support/processes.ts";
import { isLongRun } from "../support/repeats.ts";
import { SigninHarness } from "../support/signin/harness.ts";
import { createNodeRuntime, nodeRuntime } from "../support/signin/runtimes.ts";

/** Waits for a client and for a provider are short. A long run waits as long as a server does. */
const hurriedRuntime = createNodeRuntime(
  isLongRun
    ? {}
    : {
        "shared/node/serve.ts": { HEADERS_TIMEOUT_MS: 3_000, TIMEOUT_CHECK_INTERVAL_MS: 100 },
        "signin/limits.ts": { REQUEST_TIMEOUT_MS: 3_000, PROVIDER_TIMEOUT_MS: 6_000 },
      },
);

/** What only a process with sockets and files can show. */
describe("the sign-in server as a process", { concurrency: 3 }, () => {
  it("G12 a second replica on the same data is refused by a sentence", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
    await using signin = await nodeRuntime.boot({ SIGNIN_DATA_DIR: folder });
    const output = await nodeRuntime.refusal({ SIGNIN_DATA_DIR: folder });
    assert.match(output, /Another sign-in server is already running/);
    assert.equal((await fetch(`${signin.baseUrl}/health`)).status, 200);
    await rm(folder, { recursive: true, force: true });
  });

  it("G13 headers that come a byte at a time are cut, and others are served meanwhile", async () => {
    await using signin = await hurriedRuntime.boot();
    const { port } = new URL(signin.baseUrl);
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    const closed = closeOf(socket.resume());
    socket.write("GET /auth/me HTTP/1.1\r\nHost: x\r\n");
    using _ = setInterval(() => socket.write("X"), 100);
    for (let request = 0; request < 3; request += 1) {
      assert.equal((await fetch(`${signin.baseUrl}/health`)).status, 200);
    }
    await closed;
  });

  it("G20 a body that does not arrive is cut, and others are served meanwhile", async () => {
    await using signin = await hurriedRuntime.boot();
    const { port, host } = new URL(signin.baseUrl);
    const sockets = Array.from({ length: 50 }, () => connect(Number(port), "127.0.0.1"));
    const head = `POST /auth/login HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    const closed = sockets.map((socket) => {
      socket.write(head);
      return closeOf(socket.resume());
    });
    assert.equal((await fetch(`${signin.baseUrl}/health`)).status, 200);
    try {
      await Promise.all(closed);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it("G14 a request line in absolute form does not get around the host", async () => {
    await using signin = await nodeRuntime.boot();
    const { host, port } = new URL(signin.baseUrl);
    const ask = async (line: string, hostHeader: string) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.end(`GET ${line} HTTP/1.1\r\nHost: ${hostHeader}\r\nConnection: close\r\n\r\n`);
      let text = "";
      for await (const chunk of socket) text += chunk;
      return text.split("\r\n")[0] ?? "";
    };
    assert.match(await ask("/auth/me", host), / 401 /);
    assert.match(await ask("http://evil.example/auth/me", host), / 400 /);
    assert.match(await ask(`http://${host}/auth/me`, "evil.example"), / 400 /);
  });

  it("G15 a provider that never answers costs its caller 502, and no other request anything", async () => {
    await using harness = await SigninHarness.open(hurriedRuntime);
    harness.newOidcPerson();
    const agent = harness.agent();
    const callback = await harness.consent(await harness.begin(agent, "google"));
    using _ = harness.oidc.use({ tokenAnswer: () => new Promise(() => {}) });
    const slow = agent.get(callback, { headers: { Accept: "application/json" } });
    const { access_token } = await harness.openBrowserSession(harness.agent(), "github");
    assert.equal((await harness.me(access_token)).status, 200);
    const answer = await slow;
    assert.equal(answer.status, 502);
    assert.equal(answer.json<{ code: string }>().code, "provider_unavailable");
  });

  it("F11 what was answered before a kill -9 holds after it: sessions, spent codes, revocations", async () => {
    const folder = await mkdtemp(join(tmpdir(), "roundhouse-signin-"));
    const variables = { SIGNIN_DATA_DIR: folder };
    const first = await SigninHarness.open(nodeRuntime, variables);
    const kept = await first.openNativeSession();
    const ended = await first.openNativeSession();
    await first.agent().post("/auth/logout", {}, { bearer: ended.access_token });
    const rotated = await first.refresh(kept.refresh_token);
    const { refresh_token } = rotated.json<{ refresh_token: string }>();
    await first.signin.kill?.();
    // The same issuer as before: another one would refuse the start.
    await using second = await SigninHarness.open(nodeRuntime, {
      ...variables,
      OIDC_PROVIDER_ISSUER: first.oidc.url,
    });
    assert.equal((await second.refresh(refresh_token)).status, 200);
    assert.equal((await second.refresh(ended.refresh_token)).status, 401);
    await first[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it("starts in development without a single variable, and says where it listens", async () => {
    const home = await mkdtemp(join(tmpdir(), "roundhouse-home-"));
    const main = join(import.meta.dirname, "../../signin/start.mjs");
    const child = spawn(process.execPath, [main], {
      env: { ...MACHINE, HOME: home, SIGNIN_PORT: "0" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for await (const chunk of child.stderr) {
      output += chunk;
      if (output.includes("is listening")) break;
    }
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0];
    assert.ok(url, output);
    assert.equal((await fetch(`${url}/`)).status, 200);
    assert.match(output, /JWT_SECRET_KEY/, "a notice names what was generated");
    child.kill();
    await once(child, "exit");
    await rm(home, { recursive: true });
  });
});
