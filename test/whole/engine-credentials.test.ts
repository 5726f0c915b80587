import assert from "node:assert/strict";
import {
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";

const CANARY = "sk-CANARY0123456789abcdef";
const directories: string[] = [];
after(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

const MODEL = { provider: "openai", model: "gpt", apiKey: CANARY };
// Every operation that Engine §4 marks 503.
const MARKED: [method: string, path: string, body?: object][] = [
  ["GET", "/model-configurations"],
  ["POST", "/model-configurations", MODEL],
  ["PUT", "/model-configurations/0", MODEL],
  ["DELETE", "/model-configurations/0"],
  ["GET", "/models"],
  ["GET", "/tools/catalog"],
  ["GET", "/tool-registry"],
  ["POST", "/tool-registry", { name: "t" }],
  ["GET", "/tool-registry/0"],
  ["PUT", "/tool-registry/0", { name: "t" }],
  ["DELETE", "/tool-registry/0"],
];

async function assertUnavailable(engine: EngineProcess): Promise<void> {
  for (const [method, path, body] of MARKED) {
    const answer = await engine.call(method, path, body);
    assert.equal(answer.status, 503, `${method} ${path}`);
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    const { detail, ...problem } = (await answer.json()) as { detail: string };
    assert.equal(typeof detail, "string");
    assert.deepEqual(problem, {
      type: "about:blank",
      title: "Encrypted credential storage is unavailable.",
      status: 503,
    });
  }
  assert.equal((await engine.call("GET", "/workspaces")).status, 200);
  assert.equal((await engine.call("GET", "/settings")).status, 200);
}

let filled: string;
before(async () => {
  filled = newDirectory();
  await using engine = await startEngineProcess({ dataDirectory: filled });
  assert.equal((await engine.call("POST", "/model-configurations", MODEL)).status, 201);
  assert.equal(statSync(join(filled, "credentials.key")).mode & 0o777, 0o600);
  await engine.end("SIGTERM");
});

/** The data directory of an engine with a credential, which was stopped. */
function copyWithSecret(): string {
  const dataDirectory = newDirectory();
  cpSync(filled, dataDirectory, { recursive: true });
  return dataDirectory;
}

function newDirectory(): string {
  const directory = temporaryDirectory();
  directories.push(directory);
  return directory;
}

describe("a data key that is", () => {
  const spoil: [name: string, spoil: (path: string) => void][] = [
    ["missing", (path) => rmSync(path)],
    ["garbage", (path) => writeFileSync(path, "garbage")],
    ["another one", (path) => writeFileSync(path, Buffer.alloc(32, 7).toString("base64url"))],
  ];
  for (const [name, act] of spoil) {
    it(`${name} makes models and tools 503, is not replaced, loses nothing, and works once restored`, async () => {
      const dataDirectory = copyWithSecret();
      const path = join(dataDirectory, "credentials.key");
      const kept = join(dataDirectory, "kept.key");
      writeFileSync(kept, readFileSync(path));
      act(path);
      {
        await using engine = await startEngineProcess({ dataDirectory });
        await assertUnavailable(engine);
        renameSync(kept, path);
        const models = await engine.call("GET", "/model-configurations");
        assert.equal(models.status, 200);
        const [model, ...rest] = (await models.json()) as { hasApiKey: boolean }[];
        assert.deepEqual([model?.hasApiKey, rest], [true, []]);
      }
    });
  }
});

it("a keychain that is asked for and does not work makes models and tools 503, and nothing else", async () => {
  // No session bus, no keychain: wherever this runs, the Secret Service is unavailable.
  const env = {
    ENGINE_CREDENTIAL_STORE: "keychain",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  await using engine = await startEngineProcess({ env });
  await assertUnavailable(engine);
});

it("without a keychain a key file does, unless the keychain was asked for by name; no read makes it", async () => {
  const env = {
    ENGINE_CREDENTIAL_STORE: "auto",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  };
  await using engine = await startEngineProcess({ env });
  const keyFile = join(engine.dataDirectory, "credentials.key");
  for (const path of ["/models", "/model-configurations", "/tool-registry"]) {
    assert.equal((await engine.call("GET", path)).status, 200);
  }
  assert.equal(existsSync(keyFile), false);
  assert.equal((await engine.call("POST", "/model-configurations", MODEL)).status, 201);
  assert.ok(statSync(keyFile).isFile());
});

it("a credential is nowhere to be found: not in answers, logs or the database", async () => {
  const dataDirectory = copyWithSecret();
  await using engine = await startEngineProcess({
    dataDirectory,
    env: { ENGINE_LOG_LEVEL: "trace" },
  });
  const answers = await Promise.all(
    ["/model-configurations", "/models", "/openapi.json"].map(async (path) =>
      (await engine.call("GET", path)).text(),
    ),
  );
  await engine.end("SIGTERM");
  const files = ["engine.db", "engine.db-wal", "credentials.key", join("logs", "engine.log")].map(
    (name) => {
      try {
        return readFileSync(join(dataDirectory, name), "latin1");
      } catch {
        return "";
      }
    },
  );
  for (const text of [...answers, ...files, engine.stderr()]) assert.ok(!text.includes("CANARY"));
});
