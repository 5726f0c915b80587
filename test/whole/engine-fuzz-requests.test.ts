import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestFolder, type TestFolder } from "../support/engine/files.ts";
import {
  type EngineProcess,
  errorLines,
  readLog,
  residentBytes,
  startEngineProcess,
  watchHealth,
} from "../support/engine/process.ts";
import { json, type RawAnswer } from "../support/http.ts";
import { type Dice, FUZZ_SEED, pick, runCases } from "../support/random.ts";
import { repeats } from "../support/repeats.ts";
import {
  FuzzClient,
  type FuzzHarness,
  type FuzzRequest,
  OPERATIONS,
  requestFor,
} from "./fuzz/requests.ts";

const REQUESTS = repeats({ once: 800, long: 60_000 });
const AT_ONCE = 12;
/** Every so often, one record is deleted, changed and read by several requests at once. */
const RACE_EVERY = 40;
const MEMORY_BYTES_MAX = 2 * 1024 ** 3;
const CANARY = "canary-5f1c9a7e24d84b";

/** Fields of credentials get the canary, which the engine must never show again. */
function textsOf(root: TestFolder): FuzzHarness["texts"] {
  const config = ["{}", '{"read":false}', '{"filesystem":false}', "not JSON", '{"a":[[[]]]}'];
  const roots = [[root.path], [root.path, root.at("d")], ["/nowhere"], [`${"/".repeat(60_000)}x`]];
  const secret = [CANARY, `${CANARY} `, JSON.stringify({ key: CANARY })];
  return {
    directories: [...roots.map((paths) => JSON.stringify(paths)), "[]", "{"],
    toolsConfig: config,
    approvalConfig: config,
    skillsConfig: config,
    ragConfig: config,
    // None that has an address of its own on the Internet.
    provider: ["openai-compatible", "none"],
    baseUrl: ["http://127.0.0.1:1/v1", `http://127.0.0.1:1${"/".repeat(60_000)}`, "file:///x", "x"],
    path: ["a.txt", "d", "d/b.md", "d/new.txt", "made.txt", "d/e/f", "link/x", "a.png"],
    sourcePath: ["a.txt", "made.txt", "d/new.txt", "link"],
    destinationPath: ["d", "moved.txt", "made.txt", ""],
    authType: ["none", "api_key", "api_key", "basic"],
    authConfigJson: [...secret, JSON.stringify({ token: CANARY, headerName: "X-Key" })],
    apiKey: secret,
    cloudAccessKeyId: secret,
    cloudSecretAccessKey: secret,
    cloudSessionToken: secret,
    password: secret,
    refresh_token: secret,
    query: ["zebra", "ze* OR", '"a', "text"],
  };
}

/** Each answer that a client may not get, with the reason. */
function check(asked: FuzzRequest, answer: RawAnswer, secrets: readonly string[]): void {
  const { status, body, headers } = answer;
  const path = asked.target.slice(0, 200);
  const what = `${asked.method} ${path} ${String(asked.body).slice(0, 300)} -> ${status} ${body.slice(0, 300)}`;
  // What asks another server says if that one fails.
  const asks = /^\/+api\/(v1|v1\/\.\.\/v1|%76%31)\/(account|provider-models)/.test(path);
  assert.ok(status >= 200 && status < 600, what);
  assert.ok(status < 500 || (asks && status === 502), what);
  for (const secret of secrets) assert.ok(!body.includes(secret), `A secret is shown: ${what}`);
  if (status < 400 || asked.method === "HEAD") return;
  const isAbsent = status === 404 && body === "" && /model-conf|tool-reg/.test(path);
  if (isAbsent) return;
  assert.match(headers.get("content-type") ?? "", /^application\/json/, what);
  const { error } = JSON.parse(body);
  assert.ok(typeof error === "string" && error.trim() !== "", what);
}

function remember({ ids }: FuzzHarness, { target, method }: FuzzRequest, answer: RawAnswer): void {
  const [, kind = "", gone] = /^\/api\/v1\/([\w-]+)\/([\w-]+)$/.exec(target) ?? [];
  if (method === "DELETE" && answer.status === 204) {
    ids.set(
      kind,
      (ids.get(kind) ?? []).filter((id) => id !== gone),
    );
    return;
  }
  const collection = /^\/api\/v1\/([\w-]+)$/.exec(target)?.[1];
  if (collection === undefined || method !== "POST" || answer.status > 201) return;
  const { uuid, id } = JSON.parse(answer.body);
  const known = ids.get(collection) ?? [];
  known.push(String(uuid ?? id));
  ids.set(collection, known.slice(-30));
}

/** A record that is read, changed and deleted at once. */
function raceFor(harness: FuzzHarness, dice: Dice): FuzzRequest[] {
  const collections = ["workspaces", "threads", "model-configurations", "tool-registry"];
  const collection = pick(dice, collections);
  const ids = harness.ids.get(collection) ?? [];
  const id = ids.length > 0 ? pick(dice, ids) : "none";
  const target = `/api/v1/${collection}/${id}`;
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({
    name: "raced",
    title: "raced",
    threadUuid: id,
    role: "user",
    content: "x",
  });
  const changes = ["DELETE", "GET", "PUT", "DELETE", "DELETE"];
  const below =
    collection === "workspaces" ? ["/threads", "/files?rootIndex=0", "/rag/status"] : [];
  return [
    ...changes.map((method) => ({
      method,
      target,
      headers,
      body: method === "PUT" ? body : undefined,
    })),
    ...below.map((rest) => ({ method: "GET", target: target + rest, headers, body: undefined })),
    { method: "POST", target: "/api/v1/messages", headers, body },
  ];
}

async function firstRecords(engine: EngineProcess, harness: FuzzHarness): Promise<void> {
  const directories = harness.texts.directories?.[0];
  const workspace = await json(
    await engine.call("POST", "/workspaces", { name: "w", directories }),
  );
  const thread = await json(
    await engine.call("POST", "/threads", { workspaceUuid: workspace.uuid }),
  );
  harness.ids.set("workspaces", [workspace.uuid]).set("threads", [thread.uuid]);
}

describe(`${REQUESTS} requests of every kind to every operation of the document`, () => {
  it("get the answer that they deserve, and leave the engine as it was", async (t) => {
    t.diagnostic(`FUZZ_SEED=${FUZZ_SEED}`);
    await using root = await createTestFolder({ "a.txt": "zebra", d: { "b.md": "# okapi" } });
    await using engine = await startEngineProcess({
      env: { ENGINE_ACCOUNT_URL: "http://127.0.0.1:1", ENGINE_LOG_LEVEL: "debug" },
    });
    const harness: FuzzHarness = { ids: new Map(), texts: textsOf(root) };
    const secrets = [CANARY, engine.runtime.token];
    await firstRecords(engine, harness);
    using client = new FuzzClient(engine.runtime);
    const statuses = new Map<number, number>();
    let sent = 0;
    const send = async (asked: FuzzRequest) => {
      sent += 1;
      const answer = await client.send(asked);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      check(asked, answer, secrets);
      remember(harness, asked, answer);
    };
    await using health = watchHealth(engine);
    await runCases({ what: "requests", count: REQUESTS, atOnce: AT_ONCE }, async (dice, number) => {
      if (number % RACE_EVERY === 0) await Promise.all(raceFor(harness, dice).map(send));
      else await send(requestFor(harness, dice, OPERATIONS[number % OPERATIONS.length]!));
    });

    t.diagnostic(`${sent} sent: ${JSON.stringify(Object.fromEntries(statuses))}`);
    assert.ok(sent >= REQUESTS && health.answers() > 0);
    // The fuzzer reaches both sides of the edge.
    for (const status of [200, 201, 204, 400, 404, 405, 502])
      assert.ok(statuses.has(status), `${status}`);
    assert.equal((await engine.call("GET", "/workspaces")).status, 200);
    const memory = residentBytes(engine.runtime.pid);
    t.diagnostic(`${Math.round(memory / 1024 ** 2)} MiB, ${health.answers()} answers of /health`);
    assert.ok(memory < MEMORY_BYTES_MAX, `${memory} bytes`);
    await health[Symbol.asyncDispose]();
    assert.deepEqual(await engine.end("SIGTERM"), { code: 0, signal: null });
    const log = readLog(engine);
    assert.deepEqual(errorLines(log), []);
    for (const secret of secrets) assert.ok(!log.includes(secret), "A secret is in the log.");
  });
});
