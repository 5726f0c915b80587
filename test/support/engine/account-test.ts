import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineDeps } from "../../../engine/deps.ts";
import { createVault } from "../../../engine/secrets/vault.ts";
import { ACCOUNT_USER, ScriptedServer, tokens } from "./account-server.ts";
import { createTestEngine } from "./engine.ts";

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
