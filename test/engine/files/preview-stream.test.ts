// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { readdirSync, readlinkSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { serve } from "../../../shared/node/serve.ts";
import { MIB } from "../../../shared/units.ts";
import { createTestEngine, TEST_HEADERS } from "../../support/engine/engine.ts";
import {
  createTestFolder,
  createWorkspaceOver,
  filesPath,
  type TestFolder,
} from "../../support/engine/files.ts";
import { closeOf } from "../../support/http.ts";

/** An engine that listens, over a root with a PDF of 50 MiB. */
async function openFixture() {
  const root = await createTestFolder({ "a.pdf": "%PDF-1.7" });
  await truncate(root.at("a.pdf"), 50 * MIB);
  const engine = await createTestEngine();
  const uuid = await createWorkspaceOver(engine, [root.path]);
  const fetch = (request: Request) => engine.engine.fetch(request);
  const server = await serve({ fetch, host: "127.0.0.1", port: 0 });
  engine.deps.guard.listensOn(server.port);
  const path = `/api/v1${filesPath(uuid, "/preview", { rootIndex: "0", path: "a.pdf" })}`;
  const headers = { ...TEST_HEADERS, Host: `127.0.0.1:${server.port}`, Range: "bytes=0-9" };
  return {
    root,
    ask: (method: string) => request({ port: server.port, path, method, headers, agent: false }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

function isOpen(folder: TestFolder): boolean {
  if (process.platform !== "linux") return false;
  return readdirSync("/proc/self/fd").some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder.path);
    } catch {
      return false;
    }
  });
}

describe("over a connection", { timeout: 60_000 }, () => {
  it("50 MiB arrive whole for any requested range", async () => {
    await using fixture = await openFixture();
    const response = await answerTo(fixture.ask("GET"));
    assert.equal(response.statusCode, 200);
    assert.equal(response.headers["content-length"], String(50 * MIB));
    assert.equal(response.headers["transfer-encoding"], undefined);
    let length = 0;
    for await (const chunk of response) length += chunk.length;
    assert.equal(length, 50 * MIB);
    while (isOpen(fixture.root)) await setImmediate();
  });

  it("HEAD has the length and no body", async () => {
    await using fixture = await openFixture();
    const response = await answerTo(fixture.ask("HEAD"));
    assert.equal(response.headers["content-length"], String(50 * MIB));
    for await (const _ of response) assert.fail("a body");
    while (isOpen(fixture.root)) await setImmediate();
  });

  it("a client that disconnects, before or after the first byte, leaves no file open", async () => {
    await using fixture = await openFixture();
    const slow = await answerTo(fixture.ask("GET"));
    slow.once("data", () => slow.destroy());
    await closeOf(slow);
    while (isOpen(fixture.root)) await setImmediate();
    for (let turns = 0; turns < 20; turns += 1) {
      const gone = fixture.ask("GET");
      gone.on("error", () => {});
      gone.end();
      for (let turn = 0; turn < turns * 10; turn += 1) await setImmediate();
      gone.destroy();
    }
    // One more round trip, so that the server has seen the others.
    await (await answerTo(fixture.ask("HEAD"))).resume();
    while (isOpen(fixture.root)) await setImmediate();
  });
});

function answerTo(asked: ReturnType<typeof request>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once("response", resolve).once("error", reject).end();
  });
}
