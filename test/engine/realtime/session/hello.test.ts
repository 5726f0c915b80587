import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHarness, hello, UUID } from "../../../support/engine/chat.ts";

describe("client.hello", () => {
  it("is acknowledged with the requested id, or a generated one; never correlated", async () => {
    await using harness = await createChatHarness();
    const named = await hello(harness.socket, { clientId: "tray", clientName: "Tray" });
    assert.deepEqual(named, { v: 1, type: "client.hello.ack", data: { clientId: "tray" } });
    const none = [{}, { clientId: null }, { clientId: " " }, { clientName: 7 }, null];
    for (const data of none) {
      const ack = await hello(harness.connect(), data);
      assert.equal(ack.type, "client.hello.ack");
      assert.match(ack.data.clientId, UUID);
    }
  });

  it("is rejected where the id belongs to another connection; the socket stays open", async () => {
    await using harness = await createChatHarness();
    const other = harness.connect();
    await hello(harness.socket, { clientId: "a" });
    const reject = await hello(other, { clientId: "a" });
    assert.deepEqual(Object.keys(reject), ["v", "type", "data"]);
    assert.equal(reject.type, "client.hello.reject");
    assert.deepEqual(Object.keys(reject.data), ["reason"]);
    assert.equal(other.closed, undefined);
    assert.equal((await hello(other, { clientId: "b" })).type, "client.hello.ack");
  });

  for (const clientId of [1, {}, ["a"], "x".repeat(257)]) {
    it(`is rejected where the id is ${JSON.stringify(clientId).slice(0, 20)}`, async () => {
      await using harness = await createChatHarness();
      assert.equal((await hello(harness.socket, { clientId })).type, "client.hello.reject");
    });
  }

  it("again: the own id is acknowledged, a free one replaces it, a taken one changes nothing", async () => {
    await using harness = await createChatHarness();
    const { socket } = harness;
    const other = harness.connect();
    await hello(other, { clientId: "taken" });
    await hello(socket, { clientId: "a" });
    assert.equal((await hello(socket, { clientId: "a" })).data.clientId, "a");
    assert.equal((await hello(socket, { clientId: "taken" })).type, "client.hello.reject");
    assert.equal((await hello(harness.connect(), { clientId: "a" })).type, "client.hello.reject");
    assert.equal((await hello(socket, {})).data.clientId, "a");
    assert.equal((await hello(socket, { clientId: "b" })).data.clientId, "b");
    assert.equal((await hello(harness.connect(), { clientId: "a" })).type, "client.hello.ack");
  });

  it("releases its id with the connection", async () => {
    await using harness = await createChatHarness();
    await hello(harness.socket, { clientId: "a" });
    await harness.socket.session.close();
    assert.equal((await hello(harness.connect(), { clientId: "a" })).type, "client.hello.ack");
  });
});
