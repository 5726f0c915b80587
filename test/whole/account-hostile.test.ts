import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { startEngineProcess } from "../support/engine/process.ts";
import { json } from "../support/http.ts";
import { isLongRun } from "../support/repeats.ts";

const CANARY = "canary-refresh-token";
const CHUNK = Buffer.alloc(1024 * 1024, "a");

/** An account server that signs anybody in, then turns on them. */
async function startHostileAccountServer() {
  let turn: ((response: ServerResponse) => void) | undefined;
  let redirected = 0;
  const server = createServer((request, response) => {
    if (request.url === "/elsewhere") redirected += 1;
    if (turn && request.url !== "/auth/logout") return turn(response);
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({
        access_token: "canary-access-token",
        token_type: "Bearer",
        // Sooner over than the engine takes it for good: every look at the session refreshes.
        expires_in: 1,
        refresh_token: CANARY,
        user: {
          id: "1",
          email: "a@b.c",
          display_name: null,
          avatar_url: null,
          connected_providers: [],
        },
        id: "1",
        email: "a@b.c",
        display_name: null,
        avatar_url: null,
        connected_providers: [],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    redirected: () => redirected,
    turnInto(answer: typeof turn) {
      turn = answer;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe("a hostile account server, over real sockets", () => {
  it("gets a 502 for every trick, learns nothing, and ends no session", async () => {
    await using cloud = await startHostileAccountServer();
    await using engine = await startEngineProcess({ env: { ENGINE_ACCOUNT_URL: cloud.url } });
    const login = { email: "a@b.c", password: "canary-password" };
    await json(await engine.call("POST", "/account/login", login));
    const tricks: Record<string, (response: ServerResponse) => void> = {
      "a redirect": (response) => response.writeHead(307, { Location: "/elsewhere" }).end(),
      "50 MB": (response) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        for (let sent = 0; sent < 50; sent += 1) response.write(CHUNK);
        response.end();
      },
      "an answer that breaks off": (response) => {
        response.writeHead(200, { "Content-Length": "1000" }).write("{");
        response.destroy();
      },
      // The engine waits 10 s for each of these.
      ...(isLongRun && {
        "an answer that never ends": (response) => response.writeHead(200).write("{"),
        "no answer": () => {},
      }),
    };
    for (const [name, trick] of Object.entries(tricks)) {
      cloud.turnInto(trick);
      const [session, again] = await Promise.all([
        engine.call("GET", "/account/session"),
        engine.call("POST", "/account/signup/code", { email: "a@b.c" }),
      ]);
      for (const response of [session, again]) {
        const body = await json(response, 502);
        assert.deepEqual(Object.keys(body), ["error"], name);
      }
      assert.equal((await engine.call("GET", "/health")).status, 200);
    }
    assert.equal(cloud.redirected(), 0);
    cloud.turnInto(undefined);
    assert.equal((await json(await engine.call("GET", "/account/session"))).authenticated, true);
    assert.equal(engine.stderr().includes("canary"), false);
  });
});
