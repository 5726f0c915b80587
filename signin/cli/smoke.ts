import { readBytes } from "../../shared/http/json-body.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import { PROVIDER_BODY_BYTES_MAX, PROVIDER_TIMEOUT_MS } from "../limits.ts";
import type { CheckResult } from "./results.ts";

/** A server as a check sees it. */
interface SmokedServer {
  /** Its address, without a slash at the end. */
  url: string;
  ask(path: string, init?: RequestInit): Promise<SmokeResponse>;
}

interface SmokeResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Returns what is good. @throws Error whose message says what is not */
type Check = (server: SmokedServer) => Promise<string>;

const FOREIGN_ORIGIN = "https://smoke.invalid";
const PROVIDERS = ["google", "github"];

const CHECKS: Readonly<Record<string, Check>> = {
  async health({ ask }) {
    const { status, body } = await ask("/health");
    expect(
      status === 200 && isJsonObject(body) && body.status === "ok",
      `GET /health is ${status}`,
    );
    return `version ${textOf(body, "version")}`;
  },
  async "database and schema"({ ask }) {
    const { status, body } = await ask("/ready");
    expect(status === 200, `GET /ready is ${status} ${textOf(body, "code")}`);
    return "GET /ready is 200";
  },
  async "headers of every response"({ url, ask }) {
    const { headers } = await ask("/health");
    const named = { "x-content-type-options": "nosniff", "x-frame-options": "DENY" };
    for (const [name, value] of Object.entries(named)) {
      expect(headers.get(name) === value, `${name} is ${headers.get(name) ?? "missing"}`);
    }
    const isStrict = url.startsWith("http:") || headers.has("strict-transport-security");
    expect(isStrict, "strict-transport-security is missing");
    return "careful";
  },
  async "public address"({ url, ask }) {
    const { status, headers, body } = await ask("/.well-known/oauth-authorization-server");
    expect(status === 200, `the metadata have status ${status}`);
    expect(textOf(body, "issuer") === url, `APP_BASE_URL is ${textOf(body, "issuer")}`);
    const origin = headers.get("access-control-allow-origin");
    expect(origin === "*", "other origins cannot read the metadata");
    return "it is APP_BASE_URL";
  },
  async "published keys"({ ask }) {
    const { status, body } = await ask("/.well-known/jwks.json");
    const keys = status === 200 && isJsonObject(body) && Array.isArray(body.keys) ? body.keys : [];
    expect(status === 200, `GET /.well-known/jwks.json is ${status}`);
    expect(
      !keys.some((key) => isJsonObject(key) && ("d" in key || "k" in key)),
      "a key is private",
    );
    return keys.length > 0 ? `EdDSA, ${keys.length}` : "none: HS256";
  },
  async "a request without a token is refused"({ ask }) {
    return refused(await ask("/auth/me"), 401, "invalid_token");
  },
  async "a forged token is refused"({ ask }) {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = `${part({ alg: "none", typ: "at+jwt" })}.${part({ sub: "smoke" })}.`;
    const headers = { authorization: `Bearer ${forged}` };
    return refused(await ask("/auth/me", { headers }), 401, "invalid_token");
  },
  async "an unknown refresh token is refused"({ ask }) {
    return refused(await ask("/auth/refresh", post({ refresh_token: "rt1.smoke" })), 401);
  },
  // The database counts it, and the password is hashed: too much for a plan of 10 ms.
  async "passwords are checked, and the database counts attempts"({ ask }) {
    const email = `smoke-${crypto.randomUUID()}@example.invalid`;
    const answer = await ask("/auth/login", post({ email, password: "no password of anyone" }));
    return refused(answer, 401, "invalid_credentials");
  },
  async "a page of another site is refused"({ ask }) {
    const headers = { origin: FOREIGN_ORIGIN, "content-type": "application/json" };
    const answer = await ask("/auth/refresh", { method: "POST", headers, body: "{}" });
    expect(!answer.headers.has("access-control-allow-origin"), "CORS lets it read the response");
    return refused(answer, 403, "forbidden_origin");
  },
  async "a form is refused"({ ask }) {
    return refused(await ask("/auth/login", { method: "POST", body: new URLSearchParams() }), 415);
  },
  async "unknown paths are refused"({ ask }) {
    return refused(await ask("/auth/smoke/nothing"), 404);
  },
  async providers({ url, ask }) {
    const found = [];
    for (const slug of PROVIDERS) {
      const { status, headers, body } = await ask(`/auth/${slug}/login`);
      if (status === 404) continue;
      const target = URL.parse(headers.get("location") ?? "");
      expect(status === 302 && target !== null, `${slug}: ${status} ${textOf(body, "code")}`);
      const callback = target?.searchParams.get("redirect_uri");
      expect(callback === `${url}/auth/${slug}/callback`, `${slug}: the callback is ${callback}`);
      found.push(`${slug} at ${target?.host}`);
    }
    return found.join(", ") || "none under the names google and github";
  },
};

/** Runs every check, one after the other. What a check throws is its result. */
export async function* smoke(url: string, signal: AbortSignal): AsyncGenerator<CheckResult> {
  const server: SmokedServer = { url, ask: (path, init) => ask(url + path, signal, init) };
  for (const [check, run] of Object.entries(CHECKS)) {
    signal.throwIfAborted();
    try {
      yield { check, ok: true, detail: await run(server) };
    } catch (error) {
      signal.throwIfAborted();
      yield { check, ok: false, detail: reasonOf(error) };
      // The others would say the same.
      if (error instanceof TypeError) return;
    }
  }
}

async function ask(
  url: string,
  signal: AbortSignal,
  init: RequestInit = {},
): Promise<SmokeResponse> {
  const timeout = AbortSignal.timeout(PROVIDER_TIMEOUT_MS);
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.any([signal, timeout]),
  });
  const bytes = await readBytes(response, PROVIDER_BODY_BYTES_MAX);
  const { status, headers } = response;
  return { status, headers, body: parseJson(new TextDecoder().decode(bytes)) };
}

function post(body: object): RequestInit {
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body) };
}

function refused({ status, body }: SmokeResponse, expected: number, code?: string): string {
  const isExpected = status === expected && (code === undefined || textOf(body, "code") === code);
  const wanted = `${expected}${code === undefined ? "" : ` ${code}`}`;
  expect(isExpected, `${status} ${textOf(body, "code")} instead of ${wanted}`);
  return wanted;
}

function expect(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}

function textOf(body: unknown, name: string): string {
  const value = isJsonObject(body) ? body[name] : undefined;
  return typeof value === "string" ? value : "";
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return "no response in 10 seconds";
  const code =
    error.cause instanceof Error && "code" in error.cause ? ` (${error.cause.code})` : "";
  return error instanceof TypeError ? `the server cannot be reached${code}` : error.message;
}
