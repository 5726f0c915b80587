import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { cli } from "../support/engine/cli.ts";
import { COMPLETION, completionChunk, toEvents } from "../support/engine/door.ts";
import { type EngineProcess, startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { MACHINE } from "../support/processes.ts";
import {
  answerStatus,
  type ProviderServer,
  startProviderServer,
} from "../support/providers/server.ts";

// Keys on the command line, and curl as a program that has one.

let engine: EngineProcess;
let provider: ProviderServer;
let env: Record<string, string>;
before(async () => {
  provider = await startProviderServer();
  engine = await startEngineProcess();
  env = { ENGINE_DATA_DIR: engine.dataDirectory };
  const input = { provider: "openai-compatible", model: "m", baseUrl: `${provider.url}/v1` };
  await json(await engine.call("POST", "/model-configurations", input), 201);
});
after(async () => {
  await engine[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

function curl(key: string, body: object) {
  const url = `${engine.baseUrl.replace("/api/v1", "")}/openai/v1/chat/completions`;
  const args = ["-sN", url, "-H", `Authorization: Bearer ${key}`, "-d", JSON.stringify(body)];
  return spawn("curl", args, { env: MACHINE, stdio: ["ignore", "pipe", "inherit"] });
}

const QUESTION = { model: "m", messages: [{ role: "user", content: "What is two and two?" }] };

describe("keys", () => {
  it("create prints the key alone; curl uses it until it is revoked", async () => {
    const made = await cli(env, ["keys", "create", "curl"]);
    assert.equal(made.code, 0, made.error);
    assert.match(made.out, /^rh_[A-Za-z0-9_-]{43}\n$/);
    const key = made.out.trim();
    provider.script(answerStatus(200, COMPLETION));
    assert.deepEqual(JSON.parse(await text(curl(key, QUESTION).stdout)), COMPLETION);

    const [[row]] = (await cli(env, ["keys", "list", "--json"])).json;
    assert.deepEqual([row.name, row.scopes, row.workspaceUuids], ["curl", ["models"], null]);
    const listed = await cli(env, ["keys"]);
    assert.match(listed.out, new RegExp(`${row.uuid} +curl +models +all +\\d{4}-`));
    assert.ok(!listed.out.includes(key));

    // A client that goes away in the middle ends the call of the provider, too.
    provider.script(async (exchange) => {
      exchange.head(200, { "content-type": "text/event-stream" });
      await exchange.write(toEvents([completionChunk({ content: "Fo" })])[0] ?? "");
    });
    const arrived = provider.next();
    const streaming = curl(key, { ...QUESTION, stream: true });
    await once(streaming.stdout, "data");
    streaming.kill();
    await (await arrived).cut;

    const revoked = await cli(env, ["keys", "revoke", row.uuid]);
    assert.deepEqual([revoked.code, revoked.out], [0, "The key is revoked.\n"]);
    const { error } = JSON.parse(await text(curl(key, QUESTION).stdout));
    assert.equal(error.code, "invalid_api_key");
    assert.equal(
      (await cli(env, ["keys"])).out,
      "There are no keys. Create one with `keys create NAME`.\n",
    );
  });

  it("create takes scopes, workspaces and days", async () => {
    const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "Notes" }));
    const scopes = ["--scope", "workspaces", "--scope", "embeddings"];
    const rest = ["--workspace", "Notes", "--expires", "1", "--json"];
    const made = await cli(env, ["keys", "create", "Editor", ...scopes, ...rest]);
    const [key] = made.json;
    assert.deepEqual([key.scopes, key.workspaceUuids], [["workspaces", "embeddings"], [uuid]]);
    assert.equal(Date.parse(key.expiresAt) - Date.parse(key.createdAt) <= 24 * 60 * 60_000, true);
    assert.match((await cli(env, ["keys"])).out, /Editor +workspaces, embeddings +Notes/);
  });

  for (const [args, code, message] of [
    [["create", "x", "--workspace", "none"], 1, /There is no workspace "none"/],
    [["revoke", "none"], 1, /There is no key none\. `keys list` lists them\./],
    [["create"], 2, /missing required argument/],
    [["create", "x", "--scope", "all"], 2, /Allowed choices are models, workspaces, embeddings/],
    [["create", "x", "--expires", "0"], 2, /whole number from 1 to/],
    [["revoke"], 2, /missing required argument/],
  ] as const) {
    it(`${args.join(" ")} ends with ${code}`, async () => {
      const ended = await cli(env, ["keys", ...args]);
      assert.equal(ended.code, code);
      assert.match(ended.error, message);
    });
  }
});
