import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ROOT } from "../house/sources.ts";
import { freePort } from "../support/fake-server.ts";
import { skipWithout, startTool } from "../support/processes.ts";
import { nodeRuntime, type RunningSignin } from "../support/signin/runtimes.ts";
import { until } from "../support/time.ts";

// The files of signin/deploy as an operator installs them, but for ports, certificates and paths of this machine.
const HOST = "auth.example.test";
const CLIENT = "127.9.8.7";
const read = (name: string) => readFile(join(ROOT, "signin/deploy", name), "utf8");
const NO_OPENSSL = skipWithout("openssl", "version");
const NO_NGINX = skipWithout("nginx", "-v") || NO_OPENSSL;
const NO_CADDY = skipWithout("caddy", "version") || NO_OPENSSL;
const NO_SYSTEMD = skipWithout("systemd-analyze", "--version");

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "roundhouse-deploy-"));
  if (NO_OPENSSL) return;
  const names = ["-subj", `/CN=${HOST}`, "-addext", `subjectAltName=DNS:${HOST}`];
  const files = ["-keyout", join(folder, "key.pem"), "-out", join(folder, "cert.pem")];
  const kind = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  const { status, stderr } = spawnSync("openssl", [...kind, ...names, ...files]);
  assert.equal(status, 0, String(stderr));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Through the proxy, from an address of its own. */
async function ask(port: number, path: string, options: RequestOptions = {}, body = "") {
  const headers = { Host: `${HOST}:${port}`, ...options.headers };
  const place = { host: "127.0.0.1", port, path, servername: HOST, localAddress: CLIENT };
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const sent = request(
    { ...place, rejectUnauthorized: false, agent: false, ...options, headers },
    async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, text });
    },
  );
  sent.on("error", reject).end(body);
  return promise;
}

/** What a proxy in front must keep: the host, the client's address, and the metrics to itself. */
async function testProxy(port: number, server: RunningSignin): Promise<void> {
  await until("The first answer of the proxy", async () => {
    const answer = await ask(port, "/health").catch(() => undefined);
    return answer?.status === 200 || undefined;
  });
  const login = { email: "ann@example.test", password: "not the password" };
  const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
  const refused = await ask(
    port,
    "/auth/login",
    { method: "POST", headers },
    JSON.stringify(login),
  );
  assert.equal(refused.status, 401, refused.text);
  await until("The line of the login", () => /login\.failure.*\n/.test(server.output()));
  assert.match(server.output(), /"network":"127\.9\.8\.0\/24"/);
  assert.ok(!server.output().includes("203.0.113"), "A client chose its address.");
  assert.equal(
    (await ask(port, "/metrics", { headers: { authorization: "Bearer metrics-token-1" } })).status,
    404,
  );
  const metadata = await ask(port, "/.well-known/oauth-authorization-server");
  assert.equal(JSON.parse(metadata.text).issuer, `https://${HOST}:${port}`);
}

async function startBehind(port: number): Promise<RunningSignin> {
  return nodeRuntime.boot({
    APP_ENV: "production",
    APP_BASE_URL: `https://${HOST}:${port}`,
    APP_UI_BASE_URL: "https://app.example.test",
    TRUSTED_PROXIES: "127.0.0.1",
    METRICS_TOKEN: "metrics-token-1-of-32-characters",
  });
}

describe("signin/deploy/nginx.conf", () => {
  it("is a configuration of nginx, and serves the server with each client's address", {
    skip: NO_NGINX,
  }, async () => {
    const [port, plain] = [await freePort(), await freePort()];
    await using server = await startBehind(port);
    const snippet = (await read("nginx.conf"))
      .replaceAll("auth.example.com", HOST)
      .replace("127.0.0.1:8787", new URL(server.baseUrl).host)
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
      .replace(/\/etc\/letsencrypt\S*fullchain\.pem/, join(folder, "cert.pem"))
      .replace(/\/etc\/letsencrypt\S*privkey\.pem/, join(folder, "key.pem"));
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(" ");
    const config = join(folder, "nginx.conf");
    const whole = `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary}\n${snippet} }`;
    await writeFile(config, whole);
    const tested = spawnSync("nginx", ["-t", "-c", config], { encoding: "utf8" });
    assert.equal(tested.status, 0, tested.stderr);
    assert.doesNotMatch(tested.stderr, /\[warn\]/);
    await using _ = startTool("nginx", ["-c", config]);
    await testProxy(port, server);
    const moved = await fetch(`http://127.0.0.1:${plain}/auth?x=1`, { redirect: "manual" });
    assert.equal(moved.status, 301);
    assert.equal(moved.headers.get("location"), "https://127.0.0.1/auth?x=1");
  });
});

describe("signin/deploy/Caddyfile", () => {
  it("is a configuration of Caddy, and serves the server with each client's address", {
    skip: NO_CADDY,
  }, async () => {
    const port = await freePort();
    await using server = await startBehind(port);
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
    const snippet = (await read("Caddyfile"))
      .replace(
        "auth.example.com {",
        `${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${folder}/cert.pem ${folder}/key.pem`,
      )
      .replace("127.0.0.1:8787", new URL(server.baseUrl).host);
    const config = join(folder, "Caddyfile");
    await writeFile(config, `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${snippet}`);
    const args = ["--config", config, "--adapter", "caddyfile"];
    const tested = spawnSync("caddy", ["validate", ...args], { encoding: "utf8", env });
    assert.equal(tested.status, 0, tested.stderr);
    await using _ = startTool("caddy", ["run", ...args], env);
    await testProxy(port, server);
  });
});

describe("signin/deploy/roundhouse-signin.service", () => {
  it("is a unit of systemd", { skip: NO_SYSTEMD }, async () => {
    const unit = join(folder, "roundhouse-signin.service");
    const program = join(folder, "node");
    await writeFile(program, "");
    await chmod(program, 0o755);
    const text = (await read("roundhouse-signin.service"))
      .replace(/^ExecStart=\S+/m, `ExecStart=${program}`)
      .replace(/^(User|Group)=.*$/gm, "$1=root");
    await writeFile(unit, text);
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
    assert.equal(stderr.trim(), "");
  });

  it("starts what a checkout has, as one process that the signal reaches", async () => {
    const text = await read("roundhouse-signin.service");
    const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1] ?? "";
    assert.equal(
      value("ExecStart"),
      `${value("WorkingDirectory")}/node_modules/.bin/node signin/main.ts`,
    );
    assert.deepEqual(text.match(/^Environment=.*$/gm), [
      "Environment=APP_ENV=production",
      `Environment=SIGNIN_DATA_DIR=/var/lib/${value("StateDirectory")}`,
    ]);
    const port = await freePort();
    const [, file = ""] = value("ExecStart").split(" ");
    await using started = startTool(join(ROOT, "node_modules/.bin/node"), [join(ROOT, file)], {
      SIGNIN_DATA_DIR: join(folder, "state"),
      SIGNIN_PORT: String(port),
    });
    await until("The first answer", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
      return response?.ok || undefined;
    });
    const ended = Promise.withResolvers<number | null>();
    started.child.once("exit", (code) => ended.resolve(code));
    started.child.kill("SIGTERM");
    assert.equal(await ended.promise, 0, started.output());
  });
});
