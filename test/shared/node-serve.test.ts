// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { refuseUpgrade } from "../../engine/http/request-head.ts";
import { serve } from "../../shared/node/serve.ts";
import { closeOf, rawGet, sendRaw } from "../support/http.ts";

const LOCAL = { host: "127.0.0.1", port: 0 };
const hello = () => new Response("hello");

describe("a server", () => {
  it("listens on its port, and says which", async () => {
    await using server = await serve({ ...LOCAL, fetch: hello });
    assert.equal(await (await fetch(`http://127.0.0.1:${server.port}/`)).text(), "hello");
    const refused = serve({ ...LOCAL, port: server.port, fetch: hello });
    await assert.rejects(refused, { code: "EADDRINUSE" });
  });

  it("answers what cannot become a request, in the words of its program or in its own", async () => {
    await using plain = await serve({ ...LOCAL, fetch: hello });
    const bad = rawGet("/a\\b", ["Host: x"]);
    assert.equal((await sendRaw(plain.port, bad)).status, 400);
    const unreadable = () => Response.json({ error: "No." }, { status: 418 });
    await using own = await serve({ ...LOCAL, fetch: hello, unreadable });
    for (const request of [bad, rawGet("/", ["Host: a b"]), rawGet("/", ["Host: a@b"])]) {
      const { status, body } = await sendRaw(own.port, request);
      assert.deepEqual([status, body], [418, '{"error":"No."}']);
    }
  });

  it("hands a request without a Host to its program", async () => {
    const fetch = ({ headers }: Request) => Response.json(headers.get("host"));
    await using server = await serve({ ...LOCAL, fetch });
    assert.equal((await sendRaw(server.port, rawGet("/", []))).body, "null");
  });

  it("answers a program that fails with 500, and goes on", async () => {
    let calls = 0;
    const fetch = async () => {
      calls += 1;
      if (calls === 1) throw new Error("secret");
      return hello();
    };
    await using server = await serve({ ...LOCAL, fetch });
    const failed = await sendRaw(server.port, rawGet("/", ["Host: x"]));
    assert.equal(failed.status, 500);
    assert.ok(!failed.body.includes("secret"));
    assert.equal((await sendRaw(server.port, rawGet("/", ["Host: x"]))).status, 200);
  });

  it("answers any upgrade that it does not know as an ordinary request", async () => {
    const upgrade = ["Host: x", "Connection: Upgrade"];
    await using server = await serve({
      ...LOCAL,
      fetch: hello,
      onUpgrade: (_incoming, socket) =>
        void refuseUpgrade(socket, new Response("no", { status: 403 })),
    });
    const h2c = await sendRaw(server.port, rawGet("/", [...upgrade, "Upgrade: h2c"]));
    assert.deepEqual([h2c.status, h2c.body], [200, "hello"]);
    const socket = await sendRaw(server.port, rawGet("/", [...upgrade, "Upgrade: WebSocket"]));
    assert.deepEqual([socket.status, socket.body], [403, "no"]);
    await using without = await serve({ ...LOCAL, fetch: hello });
    const none = await sendRaw(without.port, rawGet("/", [...upgrade, "Upgrade: websocket"]));
    assert.equal(none.status, 200);
  });

  it("cuts a client off that never finishes its headers", async () => {
    await using server = await serve({ ...LOCAL, fetch: hello });
    assert.equal(server.server.headersTimeout, 10_000);
    server.server.headersTimeout = 1;
    const answer = await sendRaw(server.port, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ");
    assert.equal(answer.status, 408);
  });

  it("closes a connection beyond its bound at once, and takes another once one has ended", async () => {
    await using server = await serve({ ...LOCAL, fetch: hello });
    assert.equal(server.server.maxConnections, 4096);
    server.server.maxConnections = 2;
    const open = async () => {
      const socket = connect(server.port, "127.0.0.1");
      await once(socket, "connect");
      return socket.resume();
    };
    const accepted = once(server.server, "connection");
    const first = await open();
    const [held] = await accepted;
    const second = await open();
    const dropped = once(server.server, "drop");
    const third = await open();
    await Promise.all([dropped, closeOf(third)]);
    const ended = closeOf(held);
    first.destroy();
    await ended;
    assert.equal((await sendRaw(server.port, rawGet("/", ["Host: x"]))).body, "hello");
    second.destroy();
    await using unbounded = await serve({ ...LOCAL, fetch: hello });
    assert.equal(unbounded.server.maxConnections, 4_096);
  });

  it("ends a connection whose client reads nothing, and none that has nothing to read", async () => {
    const cancelled = Promise.withResolvers<void>();
    let sendLate = () => {};
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)),
      cancel: () => cancelled.resolve(),
    });
    const quiet = new ReadableStream<Uint8Array>({
      start(controller) {
        sendLate = () => controller.enqueue(Buffer.from("late"));
      },
    });
    const fetch = ({ url }: Request) => new Response(url.endsWith("/quiet") ? quiet : endless);
    await using server = await serve({ ...LOCAL, fetch, unreadTimeoutMs: 50 });
    const waiting = connect(server.port, "127.0.0.1");
    waiting.write(rawGet("/quiet", ["Host: x"]));
    assert.match(String((await once(waiting, "data"))[0]), /^HTTP\/1.1 200/);
    const unread = connect(server.port, "127.0.0.1").pause();
    unread.on("error", () => {});
    unread.write(rawGet("/endless", ["Host: x"]));
    await cancelled.promise;
    sendLate();
    assert.match(String((await once(waiting, "data"))[0]), /late/);
    waiting.destroy();
    unread.destroy();
  });

  it("lets a request on its way end, and holds on to no connection for that", async () => {
    let begin: (response: Response) => void = () => {};
    const begun = Promise.withResolvers<void>();
    const fetch = () => {
      begun.resolve();
      return new Promise<Response>((resolve) => {
        begin = resolve;
      });
    };
    const server = await serve({ ...LOCAL, fetch });
    const idle = connect(server.port, "127.0.0.1");
    await once(idle, "connect");
    idle.resume();
    const answer = sendRaw(server.port, rawGet("/", ["Host: x"]));
    await begun.promise;
    const idleClosed = closeOf(idle);
    const closed = server[Symbol.asyncDispose]();
    begin(new Response("whole"));
    assert.equal((await answer).body, "whole");
    await closed;
    await idleClosed;
    await assert.rejects(sendOnce(server.port), { code: "ECONNREFUSED" });
  });

  it("ends though a connection was taken over and never given back", async () => {
    const taken = Promise.withResolvers<void>();
    const server = await serve({ ...LOCAL, fetch: hello, onUpgrade: () => taken.resolve() });
    const client = connect(server.port, "127.0.0.1");
    client.on("error", () => {});
    client.write(rawGet("/", ["Host: x", "Connection: Upgrade", "Upgrade: websocket"]));
    await taken.promise;
    await server[Symbol.asyncDispose]();
    client.destroy();
  });
});

async function sendOnce(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}
