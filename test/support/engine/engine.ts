import { createEngine, type Engine, type EngineParts } from "../../../engine/app.ts";
import type { EngineConfig } from "../../../engine/config.ts";
import { openDatabase } from "../../../engine/db/open.ts";
import type { EngineDeps } from "../../../engine/deps.ts";
import { EventBus, type PublishedEvent } from "../../../engine/events/bus.ts";
import { Changes } from "../../../engine/events/changes.ts";
import { Deletions } from "../../../engine/events/deletions.ts";
import { BearerCheck } from "../../../engine/http/bearer.ts";
import { Guard } from "../../../engine/http/guard.ts";
import { openRetrieval } from "../../../engine/retrieval/worker-client.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { silentLogger } from "../../../shared/log.ts";
import { randomBytes } from "../../../shared/random.ts";
import { TestClock } from "../clock.ts";

/** An engine in this process: real routes and storage, an in-memory database, a clock that the test moves. */
export interface TestEngine extends AsyncDisposable {
  deps: EngineDeps & { clock: TestClock };
  engine: Engine;
  /** Calls `/api/v1<path>` with the bearer; a body that is no string goes as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** What was published since the last look. */
  publishedEvents(): { type: string; timestamp: string; data: Record<string, unknown> }[];
}

/** The configuration of every engine that a test makes; a test replaces the whole of it. */
export const TEST_CONFIG: EngineConfig = {
  dataDirectory: "/nonexistent",
  host: "127.0.0.1",
  port: 0,
  allowedHosts: [],
  allowedOrigins: [],
  console: true,
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
  const database = await openDatabase(":memory:");
  const clock = new TestClock();
  const key = randomBytes(32);
  const log = overrides.log ?? silentLogger;
  const events = new EventBus(clock);
  const deps = {
    config: TEST_CONFIG,
    db: database.db,
    events,
    changes: new Changes({ events, timers: clock }),
    deletions: new Deletions(),
    log,
    vault: createVault({ load: async () => key }),
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
      await database[Symbol.asyncDispose]();
    },
  };
}
