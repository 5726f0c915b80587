import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { type Logger, silentLogger } from "../../shared/log.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import { headers, startLiveEngine } from "../support/engine/live.ts";
import { openSocket, type SocketOptions } from "../support/engine/sockets.ts";

describe("the handshake of the WebSocket", () => {
  it("with bad authentication is finished, then closed with 4401, and no frame is read", async () => {
    await using live = await startLiveEngine();
    const attempts: SocketOptions[] = [
      { headers: {} },
      { headers: { Authorization: "Bearer wrong" } },
      { headers: { Authorization: "Bearer wrong" }, path: `/api/v1/events?token=${TEST_TOKEN}` },
      { headers: {}, path: "/api/v1/events?token=wrong" },
    ];
    for (const attempt of attempts) {
      const socket = openSocket(live.port, attempt);
      let opened = false;
      socket.raw.on("open", () => {
        opened = true;
        socket.say({ type: "client.hello", data: { clientId: "intruder" } });
      });
      assert.deepEqual(await socket.closed, {
        code: 4401,
        reason: "Missing or invalid bearer token.",
      });
      assert.equal(opened, true);
      assert.deepEqual(socket.frames, []);
    }
    const rightful = await live.connect();
    rightful.say({ type: "client.hello", data: { clientId: "intruder" } });
    await rightful.until(({ type }) => type === "client.hello.ack");
  });

  it("with bad authentication refuses a large frame as soon as it is announced", async () => {
    let refused = (_code: unknown) => {};
    const refusal = new Promise((resolve) => {
      refused = resolve;
    });
    const debug: Logger["debug"] = ({ error }) =>
      refused(error instanceof Error && "code" in error ? error.code : undefined);
    await using live = await startLiveEngine({ log: { ...silentLogger, debug } });
    const connection = connect(live.port, "127.0.0.1");
    connection.on("error", () => {
      // The engine may hang up first.
    });
    connection.write(
      `GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:${live.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    await once(connection, "data");
    // 15 MiB, of which nothing is sent.
    connection.write(Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 1, 2, 3, 4]));
    assert.equal(await refusal, "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH");
    connection.destroy();
  });

  it("takes the token query where there is no bearer", async () => {
    await using live = await startLiveEngine();
    const path = `/api/v1/events?token=${TEST_TOKEN}`;
    const socket = openSocket(live.port, { headers: {}, path });
    await once(socket.raw, "open");
    socket.say({ type: "ping" });
    await socket.until(({ type }) => type === "pong");
  });

  it("with a bad Host or Origin, on another path or badly made is refused in plain HTTP", async () => {
    await using live = await startLiveEngine();
    const refusal = (more: Parameters<typeof openSocket>[1]) =>
      new Promise<number | undefined>((resolve) => {
        openSocket(live.port, more).raw.on("unexpected-response", (_request, response) => {
          response.resume();
          resolve(response.statusCode);
        });
      });
    assert.equal(await refusal({ headers: { ...headers, Host: "evil.example" } }), 403);
    assert.equal(await refusal({ headers: { ...headers, Origin: "http://evil.example" } }), 403);
    assert.equal(await refusal({ headers: { ...headers, Origin: "null" } }), 403);
    assert.equal(await refusal({ headers: { Origin: "http://evil.example" } }), 403);
    assert.equal(await refusal({ headers, path: "/api/v1/health" }), 404);
    assert.equal(await refusal({ headers: {}, path: "/api/v1/health" }), 401);
    const own = { ...headers, Origin: `http://127.0.0.1:${live.port}` };
    const socket = openSocket(live.port, { headers: own });
    await once(socket.raw, "open");
  });
});
