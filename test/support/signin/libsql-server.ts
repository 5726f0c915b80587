import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HranaTimes } from "../../../dev/libsql-server/hrana-streams.ts";
import type { HranaPipeline } from "../../../dev/libsql-server/hrana-wire.ts";
import { type LibsqlServer, startLibsqlServer } from "../../../dev/libsql-server/libsql-server.ts";
import { randomToken } from "../../../shared/random.ts";
import { pause } from "../time.ts";

/** What may go wrong between a client and its database. */
export type Fault =
  /** The server does the work and hangs up: the client cannot know. */
  | "lose-answer"
  /** The server hangs up before it does anything. */
  | "lose-request"
  /** HTTP 503. */
  | "unavailable";

/** A development server on a temporary file whose answers a test can lose. */
export interface FaultyLibsqlServer extends LibsqlServer {
  path: string;
  authToken: string;
  /** The next pipeline that matches fails so; resolves once it did. */
  failNext(fault: Fault, matches?: (sql: string) => boolean): Promise<void>;
  /** How many pipelines were answered or lost since the start. */
  readonly pipelineCount: number;
}

interface PlannedFault {
  fault: Fault;
  matches(sql: string): boolean;
  done(): void;
}

export async function startFaultyLibsqlServer(
  times: Partial<HranaTimes> = {},
  latencyMs = 0,
): Promise<FaultyLibsqlServer> {
  const folder = await mkdtemp(join(tmpdir(), "roundhouse-libsql-"));
  const path = join(folder, "signin.db");
  const authToken = randomToken();
  const planned: PlannedFault[] = [];
  let pipelineCount = 0;
  const server = await startLibsqlServer({
    path,
    authToken,
    times,
    // Tests throw their files away: nothing has to survive a power cut.
    pragmas: ["synchronous=OFF"],
    async around(pipeline, run) {
      pipelineCount += 1;
      if (latencyMs > 0) await pause(latencyMs);
      const sql = sqlOf(pipeline);
      const at = planned.findIndex(({ matches }) => matches(sql));
      const [plan] = at < 0 ? [] : planned.splice(at, 1);
      if (!plan) return run();
      const reply = plan.fault === "lose-answer" ? await run() : undefined;
      plan.done();
      if (plan.fault === "unavailable") return { status: 503, body: { message: "unavailable" } };
      return reply && undefined;
    },
  });
  return {
    url: server.url,
    path,
    authToken,
    get pipelineCount() {
      return pipelineCount;
    },
    failNext: (fault, matches = () => true) =>
      new Promise((done) => planned.push({ fault, matches, done })),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** All SQL of a pipeline, in order, one statement a line. */
function sqlOf({ requests }: HranaPipeline): string {
  const texts = requests.flatMap((request) => {
    if (request.type === "execute") return [request.stmt.sql];
    if (request.type === "batch") return request.batch.steps.map(({ stmt }) => stmt.sql);
    return request.type === "store_sql" || request.type === "sequence" ? [request.sql] : [];
  });
  return texts.filter((text) => typeof text === "string").join("\n");
}
