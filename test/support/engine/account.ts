import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineDeps } from "../../../engine/deps.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { createTestEngine } from "./engine.ts";

type Answer =
  | Response
  | Error
  | ((request: AccountServerRequest) => Response | Error | Promise<Response>);

export interface AccountServerRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  authorization: string | null;
  body: unknown;
}

export const ACCOUNT_USER = {
  id: "u1",
  email: "ada@example.com",
  display_name: "Ada",
  avatar_url: null,
  connected_providers: ["github"],
};

/** An account server that plays a script: answers by `METHOD /path`, in order; the last one stays. */
export class ScriptedServer {
  readonly requests: AccountServerRequest[] = [];
  readonly #script = new Map<string, Answer[]>();

  script(call: string, ...answers: Answer[]): this {
    this.#script.set(call, answers);
    return this;
  }

  /** The requests as `METHOD /path`, since the last look. */
  calls(): string[] {
    return this.requests.splice(0).map(({ method, path }) => `${method} ${path}`);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const asked = new Request(input, init);
    const text = await asked.text();
    const { pathname, searchParams } = new URL(asked.url);
    const request = {
      method: asked.method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      authorization: asked.headers.get("authorization"),
      body: text === "" ? undefined : JSON.parse(text),
    };
    assert.equal(asked.redirect, "manual");
    this.requests.push(request);
    const answers = this.#script.get(`${request.method} ${request.path}`) ?? [];
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer) return Response.json({ error: "Not found." }, { status: 404 });
    const played = typeof answer === "function" ? await answer(request) : answer;
    if (played instanceof Error) throw played;
    return typeof answer === "function" ? played : played.clone();
  };
}

/** A token answer of the sign-in server. */
export function tokens(serial: number | string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    access_token: `access-${serial}`,
    token_type: "Bearer",
    expires_in: 600,
    refresh_token: `refresh-${serial}`,
    refresh_expires_in: 1000,
    user: ACCOUNT_USER,
    ...more,
  });
}

export function refused(status: number, error = "No."): Response {
  return Response.json({ error, code: "x", request_id: "r" }, { status });
}

/** With blanks around them, which the engine removes. */
export const CREDENTIALS = { email: " ada@example.com ", password: " secret word " };
/** The key that seals the saved session. */
export const ACCOUNT_KEY = new Uint8Array(32).fill(7);

/** An engine whose account server plays a script; `restart` is the same data directory under a new process. */
export async function openAccountTest(overrides: Partial<EngineDeps> = {}) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "roundhouse-"));
  const cloud = new ScriptedServer();
  cloud.script("POST /auth/login", tokens(1)).script("GET /auth/me", Response.json(ACCOUNT_USER));
  const start = async () => {
    const test = await createTestEngine({ vault: createVault({ load: async () => ACCOUNT_KEY }) });
    await using plain = test;
    const config = { ...plain.deps.config, dataDirectory, accountUrl: "https://cloud.example/" };
    return await createTestEngine({
      config,
      fetch: cloud.fetch,
      vault: createVault({ load: async () => ACCOUNT_KEY }),
      ...overrides,
    });
  };
  const engine = await start();
  return {
    cloud,
    dataDirectory,
    engine,
    restart: start,
    session: () => engine.call("GET", "/account/session"),
    login: () => engine.call("POST", "/account/login", CREDENTIALS),
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
