import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { createEngine, type Engine, type EngineParts } from "../../../engine/app.ts";
import {
  type ClientOptions,
  createClient,
  type EngineClient,
} from "../../../engine/client/client.ts";
import type { EngineConfig } from "../../../engine/config.ts";
import { migrations } from "../../../engine/db/migrations.generated.ts";
import { SnapshotClient } from "../../../engine/db/snapshots.ts";
import type { EngineDeps } from "../../../engine/deps.ts";
import { EventBus, type PublishedEvent } from "../../../engine/events/bus.ts";
import { Changes } from "../../../engine/events/changes.ts";
import { BearerCheck, Guard } from "../../../engine/http/guard.ts";
import { ServerModels } from "../../../engine/models/context-window.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { createDatabase, type Database } from "../../../shared/database.ts";
import { silentLogger } from "../../../shared/log.ts";
import { randomBytes } from "../../../shared/random.ts";
import { openMemoryDatabase } from "../database.ts";
import { TestClock } from "../time.ts";
import { type EventReader, readEvents } from "./events.ts";

/** An engine in this process: real routes and storage, an in-memory database, a clock that the test moves. */
export interface TestEngine extends AsyncDisposable {
  deps: EngineDeps & { clock: TestClock };
  engine: Engine;
  /** Calls `/api/v1<path>` with the bearer; a body that is no string goes as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** What was published since the last look. */
  publishedEvents(): { type: string; timestamp: string; data: Record<string, unknown> }[];
}

/** The data directory of the engines that tests make in this process: it lists the indexes that they made. */
const dataDirectory = mkdtempSync(join(tmpdir(), "roundhouse-data-"));
// A test may act as another account.
chmodSync(dataDirectory, 0o777);
process.once("exit", () => rmSync(dataDirectory, { recursive: true, force: true }));

/** The configuration of every engine that a test makes; a test replaces the whole of it. */
export const TEST_CONFIG: EngineConfig = {
  dataDirectory,
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  console: true,
  openai: true,
  discovery: true,
  accountUrl: undefined,
  credentialStore: "file",
  embeddings: { kind: "builtin" },
  rerank: undefined,
  logLevel: "info",
};

/** The bearer of every engine that a test makes. */
export const TEST_TOKEN = "test-token";

/** What a client sends beside its body: a Host that is the engine's, and the bearer. */
export const TEST_HEADERS = { Host: "127.0.0.1", Authorization: `Bearer ${TEST_TOKEN}` };

/** What a test replaces: dependencies and parts of the engine. */
export type EngineOverrides = Partial<EngineDeps> & EngineParts;

export async function createTestEngine({
  chat,
  openWatcher,
  ...overrides
}: EngineOverrides = {}): Promise<TestEngine> {
  const client = await openMemoryDatabase(migrations, (options) => new SnapshotClient(options));
  const clock = new TestClock();
  const key = randomBytes(32);
  const log = overrides.log ?? silentLogger;
  const events = new EventBus(clock);
  const deps = {
    config: TEST_CONFIG,
    db: createDatabase(client),
    events,
    changes: new Changes({ events, timers: clock }),
    log,
    vault: createVault({ load: async () => key }),
    serverModels: new ServerModels(),
    guard: new Guard({ ...TEST_CONFIG, ...overrides.config }),
    bearer: new BearerCheck(TEST_TOKEN),
    retrieval: openRetrieval({
      config: { ...TEST_CONFIG, ...overrides.config },
      log,
      timers: clock,
    }),
    fetch: () => Promise.reject(new Error("This test gave the engine no network.")),
    ...overrides,
    clock,
    timers: clock,
  };
  deps.guard.listensOn(80);
  const engine = createEngine(deps, { chat, openWatcher });
  const published: PublishedEvent[] = [];
  deps.events.subscribe((event) => published.push(event));
  return {
    deps,
    engine,
    call: async (method, path, body) =>
      engine.fetch(
        new Request(`http://127.0.0.1/api/v1${path}`, {
          method,
          headers: TEST_HEADERS,
          body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        }),
      ),
    publishedEvents: () => published.splice(0),
    async [Symbol.asyncDispose]() {
      await deps.retrieval[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** A request that a client sent, as it arrived. */
export interface SentRequest {
  method: string;
  path: string;
  body: unknown;
}

/** A client whose requests go to an engine in this process, and what it sent. `damage` changes what it receives. */
export function createTestClient(
  test: TestEngine,
  damage: (response: Response, path: string) => Response = (response) => response,
): { client: EngineClient; sent: SentRequest[] } {
  const sent: SentRequest[] = [];
  const client = createClient({
    baseUrl: "http://127.0.0.1",
    token: TEST_TOKEN,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      request.headers.set("host", TEST_HEADERS.Host);
      const { pathname, search } = new URL(request.url);
      const text = await request.clone().text();
      const body: unknown = text === "" ? undefined : JSON.parse(text);
      sent.push({ method: request.method, path: `${pathname}${search}`, body });
      return damage(await test.engine.fetch(request), pathname);
    },
  });
  return { client, sent };
}

/** A client of a server that answers every request with this. */
export function createAnsweredClient(
  answer: (request: Request) => Response | Promise<Response>,
  options: Pick<Partial<ClientOptions>, "token" | "reconnectMs"> = {},
) {
  return createClient({
    baseUrl: "http://127.0.0.1:7717",
    token: "t",
    ...options,
    fetch: async (input, init) => answer(new Request(input, init)),
  });
}

/** Resolves once the rows of everything that was deleted are gone. */
export async function deletedRowsGone(db: Database): Promise<void> {
  const left = "SELECT 1 FROM workspaces WHERE deleted_at IS NOT NULL LIMIT 1";
  while ((await db.$client.execute(left)).rows.length > 0) await setImmediate();
}

/** Opens a stream that must answer 200. */
export async function openEventStream(
  test: TestEngine,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const request = new Request(`http://127.0.0.1/api/v1${path}`, {
    headers: { ...TEST_HEADERS, ...headers },
  });
  const response = await test.engine.fetch(request);
  assert.equal(response.status, 200);
  return readEvents(response.body!, response.headers);
}

/** Opens `GET /changes`. */
export function openChanges(
  test: TestEngine,
  query = "",
  headers: Record<string, string> = {},
): Promise<EventReader> {
  return openEventStream(test, `/changes${query}`, headers);
}
