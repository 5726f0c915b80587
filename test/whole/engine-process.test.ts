import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { DEFAULT_PORT } from "../../engine/runtime/listen.ts";
import {
  readRuntime,
  runEngineProcess,
  sharedEngine,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { rawGet, sendRaw } from "../support/http.ts";
import { until } from "../support/time.ts";

const directories: string[] = [];
const newDirectory = () => {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory;
};
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("a start", () => {
  const open = newDirectory();
  chmodSync(open, 0o755);
  const running = sharedEngine({ dataDirectory: open, env: { ENGINE_PROT: "s3cret" } });
  const linked = newDirectory();
  const victim = join(newDirectory(), "victim");
  writeFileSync(victim, "untouched");
  symlinkSync(victim, join(linked, "runtime.json"));
  const onIpv6 = sharedEngine({ dataDirectory: linked, env: { ENGINE_HOST: "::1" } });
  const missing = join(newDirectory(), "deep", "engine");
  const onLocalhost = sharedEngine({ dataDirectory: missing, env: { ENGINE_HOST: "localhost" } });

  it("answers health, and publishes itself in a private file once it listens", async () => {
    const { engine } = running;
    const health = await fetch(`${engine.baseUrl}/health`);
    assert.deepEqual(await health.json(), { status: "ok", version: engine.runtime.version });

    const { version, pid, host, port, token, startedAt, ...rest } = engine.runtime;
    assert.deepEqual(rest, {});
    assert.equal(pid, engine.child.pid);
    assert.equal(host, "127.0.0.1");
    assert.ok(port > 0);
    assert.match(version, /^\d+\.\d+\.\d+$/);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    assert.match(startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.equal(modeOf(join(engine.dataDirectory, "runtime.json")), "600");
    assert.equal((await engine.call("GET", "/workspaces")).status, 200);
  });

  it("makes the data directory where it is missing, and makes one that is open to others private", () => {
    for (const { engine } of [running, onLocalhost])
      assert.equal(modeOf(engine.dataDirectory), "700");
  });

  it("replaces a link in the place of runtime.json and leaves what it points to alone", () => {
    assert.ok(lstatSync(join(linked, "runtime.json")).isFile());
    assert.equal(onIpv6.engine.runtime.pid, onIpv6.engine.child.pid);
    assert.equal(readFileSync(victim, "utf8"), "untouched");
  });

  it("is refused on a data directory that another engine uses, and tells where that one runs", async () => {
    const first = running.engine;
    const { dataDirectory, runtime } = first;
    const second = await runEngineProcess({ dataDirectory });
    assert.equal(second.code, 1);
    assert.match(second.stderr, new RegExp(`http://127\\.0\\.0\\.1:${runtime.port}\\b`));
    assert.ok(!second.stderr.includes(runtime.token));
    assert.deepEqual(readRuntime(dataDirectory), runtime);
    assert.equal((await first.call("GET", "/workspaces")).status, 200);
  });

  it("warns about a variable that it does not know", async () => {
    const { engine } = running;
    assert.match(
      engine.stderr(),
      /ENGINE_PROT is not a known variable\. Did you mean ENGINE_PORT\?/,
    );
    assert.ok(!engine.stderr().includes("s3cret"));
  });

  it("takes the port that is asked for or is refused, and tells which variable to change", async () => {
    // It is asked what it is, and hangs up.
    const port = await freePort();
    const taken = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1");
    await once(taken, "listening");
    const env = { ENGINE_PORT: String(port) };
    const dataDirectory = newDirectory();
    const refused = await runEngineProcess({ dataDirectory, env });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^ENGINE_PORT: [^\n]+ is taken by another program\. [^\n]+\n$/);

    taken.close();
    await once(taken, "close");
    await using engine = await startEngineProcess({ dataDirectory, env });
    assert.equal(engine.runtime.port, port);
  });

  it("finds a port by itself where none is asked for, whether the default one is taken or not", async () => {
    await using first = await startEngineProcess({ env: { ENGINE_PORT: "" } });
    await using second = await startEngineProcess({ env: { ENGINE_PORT: "" } });
    assert.notEqual(first.runtime.port, second.runtime.port);
    // Another program may hold the default port before the first one, and free it before the second.
    const moved = first.runtime.port === DEFAULT_PORT ? second : first;
    const line = `Port ${DEFAULT_PORT} is taken by another [^"]+, so the engine uses port ${moved.runtime.port}\\.`;
    assert.match(moved.stderr(), new RegExp(line));
    assert.equal((await moved.call("GET", "/workspaces")).status, 200);
  });

  it("says at another port that programs with client keys will not find it", async () => {
    const options = { dataDirectory: newDirectory(), env: { ENGINE_PORT: "" } };
    const warning = `The program with a client key expects port ${DEFAULT_PORT}, and will not find the engine`;
    {
      await using without = await startEngineProcess(options);
      assert.ok(!without.stderr().includes(warning));
      const input = { name: "Editor", scopes: ["models"] };
      assert.equal((await without.call("POST", "/client-keys", input)).status, 201);
      await without.end("SIGTERM");
    }
    const said = await until("A start at another port", async () => {
      // Holds the default port, unless another program does, which may free it meanwhile.
      await using _holder = await startEngineProcess({ env: { ENGINE_PORT: "" } });
      await using engine = await startEngineProcess(options);
      return engine.runtime.port !== DEFAULT_PORT && engine.stderr();
    });
    assert.ok(said.includes(warning), said);
  });

  it("listens on the loopback interface alone", async () => {
    const { engine } = running;
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of outside) {
      await assert.rejects(fetch(`http://${address}:${engine.runtime.port}/api/v1/health`));
    }
    const table = readFileSync("/proc/net/tcp", "utf8") + readFileSync("/proc/net/tcp6", "utf8");
    const port = engine.runtime.port.toString(16).toUpperCase().padStart(4, "0");
    const bound = table.split("\n").flatMap((line) => {
      const [, local, , state] = line.trim().split(/\s+/);
      return local?.endsWith(`:${port}`) && state === "0A" ? local : [];
    });
    assert.deepEqual(bound, [`0100007F:${port}`]);
  });

  it("serves on [::1], with brackets in runtime.json", async () => {
    const { engine } = onIpv6;
    assert.equal(engine.runtime.host, "[::1]");
    assert.equal((await engine.call("GET", "/workspaces")).status, 200);
  });

  it("serves on localhost, by that name", async () => {
    const { engine } = onLocalhost;
    assert.equal(engine.runtime.host, "localhost");
    assert.equal((await engine.call("GET", "/workspaces")).status, 200);
  });

  const badVariables: [Record<string, string>, string][] = [
    [{ ENGINE_HOST: "0.0.0.0" }, "ENGINE_HOST"],
    [{ ENGINE_PORT: "99999" }, "ENGINE_PORT"],
    [{ ENGINE_LOG_LEVEL: "loud" }, "ENGINE_LOG_LEVEL"],
    [{ ENGINE_DATA_DIR: "~/roundhouse" }, "ENGINE_DATA_DIR"],
    [{ ENGINE_CREDENTIAL_STORE: "paper" }, "ENGINE_CREDENTIAL_STORE"],
    [{ ENGINE_ACCOUNT_URL: "https://user:s3cret@accounts.example" }, "ENGINE_ACCOUNT_URL"],
  ];
  for (const [env, name] of badVariables) {
    it(`is refused with one sentence where ${name} is bad`, async () => {
      const refused = await runEngineProcess({ dataDirectory: newDirectory(), env });
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, new RegExp(`^${name}: [^\\n]+\\n$`));
      assert.ok(!refused.stderr.includes("s3cret"));
    });
  }

  it("is refused at once where no data directory can be made", { timeout: 60_000 }, async () => {
    if (process.platform !== "linux") return;
    const refused = await runEngineProcess({ dataDirectory: "/proc/nope" });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The data directory \/proc\/nope [^\n]+ENGINE_DATA_DIR[^\n]+\n$/);
  });

  it("is refused where the data directory is a file", async () => {
    const path = join(newDirectory(), "file");
    writeFileSync(path, "");
    const refused = await runEngineProcess({ dataDirectory: path });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^The data directory [^\n]+ENGINE_DATA_DIR[^\n]+\n$/);
  });

  it("prints help and version without touching a data directory", async () => {
    const dataDirectory = join(newDirectory(), "none");
    const help = await runEngineProcess({ dataDirectory, args: ["--help"] });
    assert.equal(help.code, 0);
    assert.match(help.stdout, /Usage: roundhouse/);
    const version = await runEngineProcess({ dataDirectory, args: ["--version"] });
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
    assert.throws(() => statSync(dataDirectory), { code: "ENOENT" });
  });
});

describe("a stop", () => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`by ${signal} exits 0 and removes runtime.json`, async () => {
      const dataDirectory = newDirectory();
      const engine = await startEngineProcess({ dataDirectory });
      assert.deepEqual(await engine.end(signal), { code: 0, signal: null });
      assert.throws(() => readRuntime(dataDirectory), { code: "ENOENT" });
    });
  }

  it("ends while a stream is open, and while a client is silent in the middle of a request", async () => {
    const dataDirectory = newDirectory();
    const engine = await startEngineProcess({ dataDirectory });
    const stuck = sendRaw(engine.runtime.port, "POST /api/v1/agui HTTP/1.1\r\nHost: 127");
    const stream = await engine.call("GET", "/stream");
    assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
    await stuck;
    await stream.body?.cancel().catch(() => {});
  });

  it("leaves a runtime.json alone that another process wrote meanwhile", async () => {
    const dataDirectory = newDirectory();
    const engine = await startEngineProcess({ dataDirectory });
    const foreign = { ...engine.runtime, pid: 1, token: "another" };
    writeFileSync(join(dataDirectory, "runtime.json"), JSON.stringify(foreign));
    assert.equal((await engine.end("SIGTERM")).code, 0);
    assert.deepEqual(readRuntime(dataDirectory), foreign);
  });

  it("by kill -9 leaves nothing that hinders the next start, which has another token", async () => {
    const dataDirectory = newDirectory();
    const first = await startEngineProcess({ dataDirectory });
    await first.call("POST", "/workspaces", { name: "kept" });
    await first.end("SIGKILL");
    await using second = await startEngineProcess({ dataDirectory });
    const workspaces = (await (await second.call("GET", "/workspaces")).json()) as object[];
    assert.equal(workspaces.length, 1);
    assert.notEqual(second.runtime.token, first.runtime.token);
  });
});

describe("the token", () => {
  it("stands in runtime.json alone: not in argv, the environment or a log", async () => {
    const dataDirectory = newDirectory();
    const engine = await startEngineProcess({ dataDirectory, env: { ENGINE_LOG_LEVEL: "trace" } });
    const { token, port } = engine.runtime;
    const process = `/proc/${engine.child.pid}`;
    await engine.call("POST", "/workspaces", "{");
    await sendRaw(port, rawGet(`/api/v1/workspaces?token=${token}`, [`Host: 127.0.0.1:${port}`]));
    for (const file of ["cmdline", "environ"]) {
      assert.ok(!readFileSync(join(process, file), "latin1").includes(token), file);
    }
    await engine.end("SIGTERM");
    assert.ok(!engine.stderr().includes(token));
    const log = readFileSync(join(dataDirectory, "logs", "engine.log"), "utf8");
    assert.match(log, /The engine is listening\./);
    assert.ok(!log.includes(token));
    assert.equal(modeOf(join(dataDirectory, "logs", "engine.log")), "600");
  });

  it("is a JSON line for every line of the log", async () => {
    const dataDirectory = newDirectory();
    const engine = await startEngineProcess({ dataDirectory });
    await engine.end("SIGTERM");
    const lines = engine.stderr().trim().split("\n");
    assert.ok(lines.length >= 2);
    for (const line of lines) {
      const { level, time, msg } = JSON.parse(line);
      assert.deepEqual([level, typeof time, typeof msg], ["info", "string", "string"]);
    }
  });
});
