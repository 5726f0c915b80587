import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Finding } from "../../../engine/checks/finding.ts";
import { examineRunning } from "../../../engine/checks/running-checks.ts";
import { createTestEngine } from "../../support/engine/engine.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { json } from "../../support/http.ts";

describe("GET /status", () => {
  it("tells version, times, memory and requests, and looks at nothing unless asked", async () => {
    await using test = await createTestEngine();
    const first = await json(await test.call("GET", "/status"));
    test.deps.clock.advance(61_500);
    const later = await json(await test.call("GET", "/status?findings=false"));
    assert.equal(later.startedAt, first.startedAt);
    assert.deepEqual([first.uptimeSeconds, later.uptimeSeconds], [0, 61]);
    assert.equal(later.requests, first.requests + 1);
    assert.ok(later.memory.residentBytes > later.memory.heapBytes);
    assert.deepEqual([first.findings, later.findings], [null, null]);
    assert.match(first.version, /^\d+\.\d+\.\d+$/);
  });

  it("counts the readers of event streams as long as they read", async () => {
    await using test = await createTestEngine();
    const { body } = await test.call("GET", "/changes");
    const clients = async () => (await json(await test.call("GET", "/status"))).clients;
    assert.deepEqual(await clients(), { sockets: 0, eventStreams: 1 });
    await body?.cancel();
    assert.deepEqual(await clients(), { sockets: 0, eventStreams: 0 });
  });

  it("is refused without the bearer, and for another word than true or false", async () => {
    await using test = await createTestEngine();
    const request = new Request("http://127.0.0.1/api/v1/status", {
      headers: { Host: "127.0.0.1" },
    });
    assert.equal((await test.engine.fetch(request)).status, 401);
    const bad = await json(await test.call("GET", "/status?findings=yes"), 400);
    assert.match(bad.details, /^findings: must be one of `true`, `false`$/);
  });

  it("finds with its cure what is wrong, and changes nothing", async () => {
    await using folder = await createTestFolder({ notes: {} });
    await using test = await createTestEngine();
    const ragConfig = { roots: [{ rootIndex: 0, enabled: true }] };
    await test.call("POST", "/workspaces", {
      name: "w",
      directories: JSON.stringify([folder.at("notes")]),
      ragConfig: JSON.stringify(ragConfig),
    });
    await test.call("POST", "/model-configurations", {
      provider: "openai-compatible",
      model: "m",
      baseUrl: "http://user:secret@127.0.0.1:9/v1",
    });
    test.publishedEvents();
    await rm(folder.at("notes"), { recursive: true });
    const answer = await test.call("GET", "/status?findings=true");
    const text = await answer.text();
    const { findings } = JSON.parse(text) as { findings: Finding[] };
    const root = findings.find(({ check }) => check === `root ${folder.at("notes")}`);
    assert.equal(root?.state, "warning");
    assert.match(root?.cure ?? "", /folders of its workspace/);
    const model = findings.find(({ check }) => check === "model openai-compatible m");
    assert.deepEqual(
      [model?.state, model?.detail],
      ["warning", "Nothing answers at http://127.0.0.1:9. Is its server running?"],
    );
    assert.ok(!text.includes("secret"));
    assert.deepEqual(test.publishedEvents(), []);
  });
});

describe("a look at what the engine needs", () => {
  it("is cancelled by its signal", async () => {
    await using test = await createTestEngine();
    const leaving = new AbortController();
    leaving.abort(new Error("left"));
    await assert.rejects(examineRunning(test.deps, leaving.signal), /left/);
  });
});
