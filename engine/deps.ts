import type { Clock, Timers } from "../shared/clock.ts";
import type { Database } from "../shared/database.ts";
import type { Logger } from "../shared/log.ts";
import type { EngineConfig } from "./config.ts";
import type { EventBus } from "./events/bus.ts";
import type { Changes } from "./events/changes.ts";
import type { BearerCheck, Guard } from "./http/guard.ts";
import type { ServerModels } from "./models/context-window.ts";
import type { Retrieval } from "./retrieval/worker-client.ts";
import type { Vault } from "./secrets/vault.ts";

/** All dependencies of the engine. Rules take a narrow `Pick` of them. */
export interface EngineDeps {
  config: EngineConfig;
  db: Database;
  events: EventBus;
  /** What clients (`GET /changes`) and this process see of every mutation. */
  changes: Changes;
  clock: Clock;
  timers: Timers;
  log: Logger;
  /** Encrypts and decrypts credentials; its failure is the 503 ProblemDetails. */
  vault: Vault;
  /** What model servers showed of their models. */
  serverModels: ServerModels;
  /** Checks Host and Origin, on HTTP and on the WebSocket upgrade. Gets the port once the server listens. */
  guard: Guard;
  /** The runtime token (Engine §5). */
  bearer: BearerCheck;
  /** Indexing and search over roots, in threads of their own that start on first use. */
  retrieval: Retrieval;
  /** For calls to account, model and embedding servers. */
  fetch: typeof fetch;
}
