import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { connect } from "roundhouse/client/node";
import {
  readRuntime,
  sharedEngine,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { freePort } from "../support/fake-server.ts";
import { MACHINE } from "../support/processes.ts";
import { until } from "../support/time.ts";

const running = sharedEngine();
const VARIABLES = { ...MACHINE, ENGINE_PORT: "0", ENGINE_CREDENTIAL_STORE: "file" };

describe("connect", () => {
  it("finds the running engine, and leaves it running", async () => {
    {
      await using client = await connect({ env: running.env });
      assert.deepEqual(await client.workspaces.list(), []);
      const socket = await client.realtime.openEvents();
      assert.equal(socket.readyState, WebSocket.OPEN);
      socket.close();
    }
    assert.equal((await running.engine.call("GET", "/workspaces")).status, 200);
  });

  it("reads runtime.json again after a restart of the engine, for which its calls wait", async () => {
    const dataDirectory = temporaryDirectory();
    {
      const env = { ENGINE_PORT: String(await freePort()) };
      await using first = await startEngineProcess({ dataDirectory, env });
      await using client = await connect({ dataDirectory });
      await using impatient = await connect({ dataDirectory, reconnectMs: 0 });
      await client.workspaces.create({ name: "Before" });
      await first.end("SIGKILL");
      await assert.rejects(impatient.workspaces.list(), { name: "EngineNotRunning", status: 0 });
      const waiting = client.workspaces.create({ name: "Meanwhile" });
      // The port of the first one, so that its token is refused.
      await using _second = await startEngineProcess({ dataDirectory, env });
      await waiting;
      await impatient.workspaces.create({ name: "After" });
      const names = (await client.workspaces.list()).map(({ name }) => name);
      assert.deepEqual(names, ["After", "Before", "Meanwhile"]);
    }
    rmSync(dataDirectory, { recursive: true });
  });

  it("names the file that it looked for where no engine runs, or the file is old", async () => {
    const dataDirectory = temporaryDirectory();
    const file = join(dataDirectory, "runtime.json");
    const refused = () =>
      assert.rejects(connect({ dataDirectory }), (error: Error) => {
        assert.equal(error.name, "EngineNotRunning");
        assert.ok(error.message.includes(file), error.message);
        return true;
      });
    await refused();
    const { runtime } = running.engine;
    for (const content of [
      "not json",
      "null",
      JSON.stringify({ ...runtime, pid: 2 ** 22 + 1 }),
      JSON.stringify({ ...runtime, token: "of an engine that has ended" }),
    ]) {
      writeFileSync(file, content);
      await refused();
    }
    rmSync(dataDirectory, { recursive: true });
  });
});

describe("connect with launch", () => {
  it("launches an engine, and stops it with the client", async () => {
    const dataDirectory = temporaryDirectory();
    {
      await using client = await connect({ launch: true, dataDirectory, env: VARIABLES });
      assert.equal((await client.system.getHealth()).status, "ok");
      const { pid } = readRuntime(dataDirectory);
      await client[Symbol.asyncDispose]();
      assert.throws(() => process.kill(pid, 0), { code: "ESRCH" });
    }
    await assert.rejects(connect({ dataDirectory }), { name: "EngineNotRunning" });
    rmSync(dataDirectory, { recursive: true });
  });

  it("does not launch a second one, nor stop the first", async () => {
    const { dataDirectory } = running.engine;
    await (await connect({ launch: true, dataDirectory, command: ["/nowhere"] }))[
      Symbol.asyncDispose
    ]();
    assert.equal((await running.engine.call("GET", "/workspaces")).status, 200);
  });

  it("says why an engine does not start, and how to install one that is missing", async () => {
    const dataDirectory = temporaryDirectory();
    const env = { ...VARIABLES, ENGINE_PORT: "no port" };
    await assert.rejects(connect({ launch: true, dataDirectory, env }), {
      name: "EngineNotRunning",
      message: /ENGINE_PORT/,
    });
    const command = [join(dataDirectory, "roundhouse")];
    await assert.rejects(connect({ launch: true, dataDirectory, command }), {
      name: "EngineNotRunning",
      message: /Install Roundhouse/,
    });
    rmSync(dataDirectory, { recursive: true });
  });

  it("launches one engine for two clients that launch at once", async () => {
    const dataDirectory = temporaryDirectory();
    const options = { launch: true, dataDirectory, env: VARIABLES };
    const clients = await Promise.all([connect(options), connect(options)]);
    for (const client of clients) assert.deepEqual(await client.workspaces.list(), []);
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
    await assert.rejects(connect({ dataDirectory }), { name: "EngineNotRunning" });
    rmSync(dataDirectory, { recursive: true });
  });

  it("lets its process end, and the engine stays for the next one", async () => {
    const dataDirectory = temporaryDirectory();
    const script =
      'const { connect } = await import("roundhouse/client/node"); await connect({ launch: true });';
    const env = { ...VARIABLES, ENGINE_DATA_DIR: dataDirectory };
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], { env });
    await using client = await connect({ dataDirectory });
    assert.deepEqual(await client.workspaces.list(), []);
    const { pid } = readRuntime(dataDirectory);
    process.kill(pid, "SIGKILL");
    await until("The end of the engine", () => (isAlive(pid) ? undefined : true));
    rmSync(dataDirectory, { recursive: true });
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
