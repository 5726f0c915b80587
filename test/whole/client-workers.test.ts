import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, describe, it } from "node:test";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { bundleScript } from "../support/browser-bundle.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import { type LiveEngine, startLiveEngine } from "../support/engine/live.ts";
import { startFakeServer } from "../support/fake-server.ts";

// The typed clients in workerd, as a Worker with an oldest supported compatibility date and with the newest one has them.

const NEWEST: string = createRequire(import.meta.resolve("miniflare"))("workerd").compatibilityDate;
const TOKENS = { access_token: "access", expires_in: 600, refresh_token: "next" };

describe("the typed clients in a Worker", () => {
  let engine: LiveEngine;
  before(async () => {
    engine = await startLiveEngine();
  });
  after(() => engine?.[Symbol.asyncDispose]());

  for (const compatibilityDate of ["2024-09-23", NEWEST]) {
    it(`work with the compatibility date ${compatibilityDate}`, async () => {
      const asked: string[] = [];
      await using server = await startFakeServer(() => async (request) => {
        const { pathname } = new URL(request.url);
        asked.push(`${request.method} ${pathname} ${request.headers.get("authorization")}`);
        if (pathname === "/moved/auth/me" || pathname.startsWith("/api/")) {
          return new Response(null, { status: 307, headers: { location: `${engine.url}/health` } });
        }
        return Response.json(pathname === "/auth/refresh" ? TOKENS : { id: "u" });
      });
      const script = await bundleScript(`
        import { createClient } from "./engine/client/client.ts";
        import { createSigninClient } from "./signin/client/client.ts";
        const engine = createClient({ baseUrl: "${engine.url}", token: "${TEST_TOKEN}" });
        const failureOf = (call) => call.then(() => "none", ({ name, status, message }) => ({ name, status, message }));
        const textOf = async (turn) => {
          const types = [];
          for await (const { type } of turn) types.push(type);
          return [(await turn).text, types.at(-1)];
        };
        export default {
          async fetch() {
            const { uuid: workspaceUuid } = await engine.workspaces.create({ name: "w" });
            const found = {};
            found.http = await textOf(engine.chat({ workspaceUuid, content: "over HTTP" }));
            found.socket = await textOf(engine.chat({ workspaceUuid, content: "over a WebSocket" }, { transport: "websocket" }));
            const changes = engine.changes();
            const change = changes.next();
            const came = change.then(() => true);
            // Changes come from the moment on at which the stream is open.
            while (!(await Promise.race([came, engine.threads.create({ workspaceUuid }).then(() => false)]))) {}
            found.change = (await change).value.type;
            await changes.return();
            const moved = createClient({ baseUrl: "${server.url}", token: "t" });
            found.moved = await failureOf(moved.tools.list());
            const gone = createClient({ baseUrl: "http://127.0.0.1:1", token: "t", reconnectMs: 100 });
            found.gone = await failureOf(gone.tools.list());
            found.goneWrite = await failureOf(gone.workspaces.create({ name: "w" }));
            const tokens = ["old", "${TEST_TOKEN}"];
            const renewed = createClient({ baseUrl: "${engine.url}", token: async () => tokens.shift() });
            found.renewed = [(await renewed.tools.list()).length, tokens.length];
            const storage = { kept: new Map(), getItem: (key) => storage.kept.get(key) ?? "first",
              setItem: (key, value) => storage.kept.set(key, value), removeItem: (key) => storage.kept.delete(key) };
            for (const cookie of [false, true]) {
              const signin = createSigninClient({ baseUrl: "${server.url}", storage, cookie });
              found["signin " + cookie] = [await signin.isSignedIn(), (await signin.account.getMe()).id];
            }
            const movedSignin = createSigninClient({ baseUrl: "${server.url}/moved" , storage });
            found.movedSignin = await failureOf(movedSignin.account.getMe());
            const goneSignin = createSigninClient({ baseUrl: "http://127.0.0.1:1", storage });
            found.goneSignin = await failureOf(goneSignin.account.getMe());
            return Response.json(found);
          },
        };`);
      const worker = new Miniflare(
        convertV4MiniflareOptions({
          name: "clients",
          modules: true,
          script,
          compatibilityDate,
          cf: false,
          telemetry: { enabled: false },
        }),
      );
      try {
        const url = await worker.ready;
        const ask = async () => {
          const answer = await fetch(url);
          const text = await answer.text();
          assert.equal(answer.status, 200, text);
          return JSON.parse(text);
        };
        const found = await ask();
        assert.deepEqual(await ask(), found, "a client of one request serves the next one");
        const redirect = "answered with a redirect, which is not followed. Check the address.";
        const lost = "Network connection lost.";
        const message = `No response came from the engine at http://127.0.0.1:1/api/v1: ${lost}`;
        const unanswered = { status: 0, message };
        assert.deepEqual(found, {
          http: ["over HTTP", "end"],
          socket: ["over a WebSocket", "end"],
          change: "thread.created",
          moved: { name: "EngineError", status: 307, message: `The engine ${redirect}` },
          gone: { name: "EngineNotRunning", ...unanswered },
          goneWrite: { name: "EngineError", ...unanswered },
          renewed: [0, 0],
          "signin false": [true, "u"],
          "signin true": [true, "u"],
          movedSignin: {
            name: "SigninError",
            status: 307,
            message: `The sign-in server ${redirect}`,
          },
          goneSignin: {
            name: "SigninError",
            status: 0,
            message: `No response came from the sign-in server: ${lost}`,
          },
        });
        assert.ok(asked.includes("GET /auth/me Bearer access"), asked.join("\n"));
      } finally {
        await worker.dispose();
      }
    });
  }
});
