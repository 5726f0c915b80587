import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { isLoopbackHost } from "../../engine/runtime/loopback.ts";
import { startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";

// Runs in every thread of a program before its own modules, and writes down where it connects and what it looks up.
const RECORDER = `
import { appendFileSync } from "node:fs";
import dns from "node:dns";
import net from "node:net";
import dgram from "node:dgram";
const record = (where) => appendFileSync(process.env.CONNECTIONS, where + "\\n");
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given;
  record(typeof options === "object" ? String(options.host ?? options.path) : "localhost");
  return connect.apply(this, given);
};
const { lookup } = dns;
dns.lookup = (name, ...rest) => (record(name), lookup(name, ...rest));
const { send } = dgram.Socket.prototype;
dgram.Socket.prototype.send = function (...given) {
  record("datagram");
  return send.apply(this, given);
};
`;

const folder = mkdtempSync(join(tmpdir(), "roundhouse-"));
after(() => rmSync(folder, { recursive: true }));

/** Variables under which a program records its connections, and what was recorded. */
function recorder(name: string) {
  const [script, list] = [join(folder, "recorder.mjs"), join(folder, name)];
  writeFileSync(script, RECORDER);
  writeFileSync(list, "");
  return {
    env: { NODE_OPTIONS: `--import=${script}`, CONNECTIONS: list },
    connections: () =>
      readFileSync(list, "utf8")
        .split("\n")
        .filter((line) => line !== ""),
  };
}

describe("no telemetry", () => {
  it("a fresh engine contacts no other machine while it indexes, chats and serves its console", async () => {
    const { env, connections } = recorder("engine");
    await using engine = await startEngineProcess({ env: { ...env, ENGINE_DISCOVERY: "1" } });
    const notes = mkdtempSync(join(folder, "notes-"));
    writeFileSync(join(notes, "a.md"), "A note.");
    const input = { name: "w", directories: JSON.stringify([notes]) };
    const { uuid } = await json(await engine.call("POST", "/workspaces", input));
    await json(await engine.call("POST", `/workspaces/${uuid}/rag/index`));
    const turn = await json(
      await engine.call("POST", `/workspaces/${uuid}/turns`, { content: "hi" }),
      202,
    );
    await (await engine.call("GET", `/turns/${turn.uuid}/events`)).text();
    await json(await engine.call("GET", "/status?findings=true"));
    assert.equal((await fetch(`${engine.baseUrl.replace("/api/v1", "")}/console/`)).status, 200);
    assert.ok(connections().every(isLoopbackHost), connections().join());
    // What it does connect to is recorded: it looks for model servers on this machine when it is asked to.
    await json(await engine.call("POST", "/model-discovery"));
    assert.ok(connections().length >= 5, "the recorder sees connections");
    assert.ok(connections().every(isLoopbackHost), connections().join());
  });

  it("a fresh sign-in server contacts no other machine while an account is made", async () => {
    const { env, connections } = recorder("signin");
    await using signin = await nodeRuntime.boot(env);
    const post = (path: string, body: object) =>
      fetch(signin.baseUrl + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", Origin: signin.baseUrl },
        body: JSON.stringify(body),
      });
    assert.equal((await post("/auth/signup/code", { email: "ada@example.com" })).status, 200);
    assert.equal(
      (await post("/auth/login", { email: "ada@example.com", password: "x" })).status,
      401,
    );
    for (const path of ["/", "/health"]) {
      assert.equal((await fetch(signin.baseUrl + path)).status, 200, path);
    }
    assert.ok(connections().every(isLoopbackHost), connections().join());
  });
});
