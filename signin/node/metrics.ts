import { equalsConstantTime } from "../../shared/constant-time.ts";
import type { Signin } from "../app.ts";
import type { AuditEvent } from "../audit/audit.ts";
import type { SigninConfig } from "../config/config.ts";
import { readBearer } from "../http/bearer.ts";
import { completeHeaders } from "../http/headers.ts";
import { DATABASE_SECONDS_BUCKETS, HASH_SECONDS_BUCKETS, RATE_LIMITS } from "../limits.ts";

/** The figures of `GET /metrics`. Every label has a fixed set of values: no request can add one. */
export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

/** The calls of a database client. */
export type DatabaseCall = "execute" | "batch";

const PREFIX = "roundhouse_signin_";
const OUTCOMES = ["success", "failure"] as const;
const OTHER = "other";

/** Loads prom-client, which a server without `METRICS_TOKEN` never does. */
export async function createMetrics({
  slugs,
  providers,
}: Pick<SigninConfig, "slugs" | "providers">) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await import(
    "prom-client"
  );
  const registry = new Registry();
  const registers = [registry];
  // With their usual names, `process_` and `nodejs_`: ready-made dashboards know them.
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `${PREFIX}${name}`, help, registers });

  const signIns = counter("sign_ins_total", "Sign-ins by method and outcome.", [
    "method",
    "outcome",
  ]);
  const names = new Set([slugs.oidc, slugs.oauth, ...providers.map(({ slug }) => slug)]);
  const methods = ["password", "code", "passkey", "signup", "reset", ...names, OTHER];
  for (const method of methods) for (const outcome of OUTCOMES) signIns.inc({ method, outcome }, 0);

  const limits = counter("limits_hit_total", "Requests that a rate limit refused.", ["limit"]);
  for (const limit of Object.keys(RATE_LIMITS)) limits.inc({ limit }, 0);

  const mails = counter("mails_total", "Mails by outcome: accepted or refused.", ["outcome"]);
  for (const outcome of ["sent", "failed"]) mails.inc({ outcome }, 0);

  const rotations = counter("refresh_rotations_total", "Refresh tokens that got a successor.");
  const thefts = counter("refresh_thefts_total", "Sessions that ended by a reused refresh token.");
  const refused = counter("hash_refused_total", "Password hashes that a full queue refused.");
  const hashSeconds = new Histogram({
    name: `${PREFIX}hash_seconds`,
    help: "The time of one password hash, without its wait.",
    buckets: [...HASH_SECONDS_BUCKETS],
    registers,
  });
  const databaseSeconds = new Histogram({
    name: `${PREFIX}database_seconds`,
    help: "The time of one call to the database.",
    labelNames: ["kind"],
    buckets: [...DATABASE_SECONDS_BUCKETS],
    registers,
  });

  return {
    countEvent(event: AuditEvent) {
      if (event.type === "session.reuse_detected") thefts.inc();
      const method = toMethod(event);
      if (method === undefined) return;
      const { outcome } = event;
      signIns.inc({ method: methods.includes(method) ? method : OTHER, outcome });
    },
    /** `key` is that of a rate limiter: the name of its limit, a colon, and what is counted. */
    countLimit(key: string) {
      const [limit = ""] = key.split(":", 1);
      limits.inc({ limit: Object.hasOwn(RATE_LIMITS, limit) ? limit : OTHER });
    },
    countMail: (outcome: "sent" | "failed") => mails.inc({ outcome }),
    countRotation: () => rotations.inc(),
    hash: {
      waiting: gauge("hash_waiting", "Password hashes that wait for their turn."),
      running: gauge("hash_running", "Password hashes that run."),
      countRefused: () => refused.inc(),
      /** Returns the function that ends the measurement. */
      startTimer: () => hashSeconds.startTimer(),
    },
    startDatabaseTimer: (kind: DatabaseCall) => databaseSeconds.startTimer({ kind }),
    contentType: registry.contentType,
    /** All figures in Prometheus' text format. */
    toText: () => registry.metrics(),
  };
}

/** How an event's user signs in; undefined for an event that is no sign-in. */
function toMethod({ type, detail = {} }: AuditEvent): string | undefined {
  switch (type) {
    case "signup.completed":
      return "signup";
    case "password.reset":
      return "reset";
    case "login.success":
    case "login.failure":
      return String(detail.method ?? detail.provider);
    case "identity.rejected":
      // A refused link signs in to no account.
      return detail.mode === "link" ? undefined : String(detail.provider);
    default:
      return undefined;
  }
}

/**
 * `GET /metrics` before the app, for the bearer of `METRICS_TOKEN`. Every other request goes to the app, where `/metrics` is
 * an unknown path. The host is not checked: a scraper addresses the server by its IP address, and the token decides.
 */
export function serveMetrics(
  config: SigninConfig,
  metrics: Metrics | undefined,
  fetch: Signin["fetch"],
): Signin["fetch"] {
  const { metricsToken } = config;
  if (metrics === undefined || metricsToken === undefined) return fetch;
  return async (request, origin) => {
    if (!isScrape(request, metricsToken)) return fetch(request, origin);
    const headers = { "Content-Type": metrics.contentType };
    const response = new Response(await metrics.toText(), { headers });
    return completeHeaders(config, response, { request, requestId: crypto.randomUUID() });
  };
}

function isScrape({ method, url, headers }: Request, metricsToken: string): boolean {
  if (method !== "GET" || new URL(url).pathname !== "/metrics") return false;
  const given = readBearer(headers);
  return given !== undefined && equalsConstantTime(given, metricsToken);
}
