import { createHmac } from "node:crypto";
import { createDatabase } from "../../../shared/database.ts";
import type { Environment } from "../../../shared/env.ts";
import type { Logger } from "../../../shared/log.ts";
import { randomBytes } from "../../../shared/random.ts";
import { createSignin, type Signin } from "../../../signin/app.ts";
import type { AuditEvent } from "../../../signin/audit/audit.ts";
import { createDatabaseAudit } from "../../../signin/audit/database-audit.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import { migrations } from "../../../signin/db/migrations.generated.ts";
import type { RequestOrigin, SigninDeps } from "../../../signin/deps.ts";
import type { Mail } from "../../../signin/mail/mailer.ts";
import { createMemoryLimiter } from "../../../signin/rate-limits/memory-limiter.ts";
import { openMemoryDatabase } from "../database.ts";
import { TestClock } from "../time.ts";
import {
  createIdentityProvider,
  type IdentityProvider,
  PROVIDER_ENV,
} from "./identity-provider.ts";

/** A sign-in server in this process: real routes and storage, an in-memory database, a clock that the test moves. */
export interface TestSignin extends AsyncDisposable {
  deps: SigninDeps & { clock: TestClock };
  db: ReturnType<SigninDeps["openDb"]>["db"];
  signin: Signin;
  idp: IdentityProvider;
  /** What was recorded so far. */
  audited: AuditEvent[];
  mails: Mail[];
  /** Every line of the log, as JSON. */
  logged: string[];
  /** A path of the server, or a whole URL. Nothing is followed. */
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** Rows of a table, or of any SQL. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
}

/** What a call carries. */
export interface CallOptions {
  /** A body that is no string goes as JSON. */
  body?: unknown;
  bearer?: string;
  cookie?: string;
  origin?: string;
  headers?: Record<string, string>;
  from?: RequestOrigin;
}

export const BASE_URL = "https://auth.example.test";
export const UI_URL = "https://app.example.test";
/** Known values, so that tests can look for them where they must not be. */
export const TEST_ENV: Environment = {
  APP_ENV: "production",
  APP_BASE_URL: BASE_URL,
  APP_UI_BASE_URL: UI_URL,
  CORS_ALLOWED_ORIGINS: "https://other.example.test",
  JWT_SECRET_KEY: "0f1e2d3c4b5a69788796a5b4c3d2e1f0ffeeddccbbaa99887766554433221100",
  TOKEN_ENCRYPTION_KEY: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
  ...PROVIDER_ENV,
};

export async function createTestSignin(
  env: Environment = {},
  overrides: Partial<SigninDeps> = {},
): Promise<TestSignin> {
  const client = await openMemoryDatabase(migrations);
  const db = createDatabase(client);
  const clock = new TestClock();
  const idp = createIdentityProvider(clock);
  const audited: AuditEvent[] = [];
  const mails: Mail[] = [];
  const logged: string[] = [];
  const log = recordingLogger(logged);
  const stored = createDatabaseAudit({ db, clock, log, fullAddresses: false });
  const limiter = createMemoryLimiter(clock);
  const deps: SigninDeps & { clock: TestClock } = {
    config: parseConfig({ ...TEST_ENV, ...env }),
    openDb: () => ({ db, close: () => {} }),
    openAudit: () => ({
      async record(event) {
        audited.push(event);
        await stored.record(event);
      },
    }),
    openRateLimiter: () => limiter,
    random: randomBytes,
    // As Node does it. What a Worker does instead runs in workerd (test/whole).
    hmac: (key, data) => createHmac("sha256", key).update(data).digest(),
    fetch: idp.fetch,
    log,
    mailer: {
      async send(mail) {
        mails.push(mail);
      },
    },
    // Slow hashes have tests of their own.
    hasher: {
      hash: async (password) => `plain:${password}`,
      verify: async (password, hash) => ({
        matches: hash === `plain:${password}`,
        outdated: false,
      }),
    },
    ...overrides,
    clock,
  };
  const signin = createSignin(deps);
  return {
    deps,
    db,
    signin,
    idp,
    audited,
    mails,
    logged,
    call: (method, path, options = {}) =>
      signin.fetch(toRequest(method, path, options), options.from),
    async rows(sql) {
      const { rows, columns } = await client.execute(sql);
      return rows.map((row) => Object.fromEntries(columns.map((name) => [name, row[name]])));
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function toRequest(method: string, path: string, options: CallOptions): Request {
  const { body, bearer, cookie, origin } = options;
  const headers = new Headers(options.headers);
  if (bearer !== undefined) headers.set("authorization", `Bearer ${bearer}`);
  if (cookie !== undefined) headers.set("cookie", cookie);
  if (origin !== undefined) headers.set("origin", origin);
  if (body !== undefined && !headers.has("content-type")) {
    headers.set("content-type", "application/json");
  }
  return new Request(new URL(path, BASE_URL), {
    method,
    headers,
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  });
}

function recordingLogger(lines: string[]): Logger {
  const write = (fields: unknown, message: string) => {
    lines.push(
      JSON.stringify({ message, fields }, (_name, value) =>
        value instanceof Error ? { ...value, message: value.message, cause: value.cause } : value,
      ),
    );
  };
  return { debug: write, info: write, warn: write, error: write };
}
