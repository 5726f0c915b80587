// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NOTHING_ASKED } from "../../../support/engine/files.ts";
import { answer, chat, harnessOf, send, toolOutput } from "../../../support/engine/turns.ts";
import { testTool } from "../../../support/providers/model.ts";

describe("approval", () => {
  const ASK_ALL = { approvalConfig: null };

  it("shows the call that will run, and approve in any case lets it run", async () => {
    for (const decision of ["approve", "APPROVE", "Approve"]) {
      await using harness = await harnessOf(
        [[{ call: "create_value", args: { value: { a: [1] } } }], ["done"]],
        ASK_ALL,
      );
      const { socket, threadUuid: thread_uuid } = harness;
      await send(harness);
      const request = await socket.next("tool.approval.request");
      const { approval_id } = request.data;
      assert.equal(request.id, "t1");
      assert.deepEqual(request.data, {
        approval_id,
        thread_uuid,
        tool_name: "create_value",
        arguments: { value: { a: [1] } },
        operation: "create",
      });
      assert.equal((await harness.records()).length, 0);
      await answer(socket, approval_id, decision, { id: "t1" });
      assert.equal((await socket.ended("t1")).type, "chat.done");
      assert.equal((await harness.records())[0].status, "completed");
      assert.equal(socket.ofType("error").length, 0);
    }
  });

  const denials = ["deny", "approved", " approve", "", null, true, 1, ["approve"], undefined];
  for (const decision of denials) {
    it(`is denied by ${JSON.stringify(decision)}: the tool never runs, the model gets the denial`, async () => {
      let ran = false;
      const tool = testTool("create_value", async () => {
        ran = true;
      });
      await using harness = await harnessOf(
        [[{ call: "create_value", args: {} }], ["as you wish"]],
        ASK_ALL,
        [tool],
      );
      const { socket, model } = harness;
      await send(harness);
      const { approval_id } = (await socket.next("tool.approval.request")).data;
      await answer(socket, approval_id, decision);
      assert.equal((await socket.ended("t1")).type, "chat.done");
      assert.equal(ran, false);
      const [record] = await harness.records();
      assert.equal(record.status, "denied");
      assert.equal(record.error, "The user denied this call.");
      assert.deepEqual(toolOutput(model)[0]!.failed, true);
    });
  }

  const policies = [
    ["the thread's policy first", '{"create":false}', '{"create":true}', true],
    ["the workspace's where the thread has none", '{"create":false}', null, false],
    ["always where the thread's is malformed", NOTHING_ASKED, "{", true],
    ["the legacy keys", '{"mutation":false}', null, false],
  ] as const;
  for (const [name, approvalConfig, threadConfig, asks] of policies) {
    it(`follows ${name}`, async () => {
      await using harness = await harnessOf([[{ call: "create_value", args: {} }], []], {
        approvalConfig,
      });
      const { socket, threadUuid, test } = harness;
      const policy = { approvalConfig: threadConfig };
      await test.call("PUT", `/threads/${threadUuid}/policy`, policy);
      socket.onFrame = ({ type, data }) => {
        if (type === "tool.approval.request") void answer(socket, data.approval_id, "approve");
      };
      await chat(harness);
      assert.equal(socket.ofType("tool.approval.request").length, asks ? 1 : 0);
      assert.equal((await harness.records())[0].status, "completed");
    });
  }

  it("is required under every policy where the tool requires it", async () => {
    await using harness = await harnessOf([[{ call: "read_guarded", args: {} }], []]);
    await send(harness);
    const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
    await answer(harness.socket, approval_id, "no");
    await harness.socket.ended("t1");
    assert.equal((await harness.records())[0].status, "denied");
  });

  it("has no time limit", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }], []], ASK_ALL);
    const { socket, test } = harness;
    await send(harness);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    test.deps.clock.advance(365 * 24 * 3_600_000);
    await answer(socket, approval_id, "approve");
    assert.equal((await socket.ended("t1")).type, "chat.done");
    assert.equal(test.deps.clock.pendingTimers, 0);
  });

  it("runs exactly the shown call, though the tool or the model keeps the arguments", async () => {
    const seen: unknown[] = [];
    const greedy = testTool("create_value", async (value) => {
      seen.push(structuredClone(value));
      assert.throws(() => {
        (value as { path: string }).path = "/etc/passwd";
      });
      return "ok";
    });
    await using harness = await harnessOf(
      [[{ call: "create_value", args: { value: { path: "/tmp/a" } } }], []],
      ASK_ALL,
      [greedy],
    );
    const { socket } = harness;
    await send(harness);
    const request = await socket.next("tool.approval.request");
    await answer(socket, request.data.approval_id, "approve");
    await socket.ended("t1");
    assert.deepEqual(seen, [request.data.arguments.value]);
    assert.deepEqual((await harness.records())[0].arguments, { value: { path: "/tmp/a" } });
  });

  it("takes an answer once, from its own connection, for its own turn; else an error frame", async () => {
    await using harness = await harnessOf(
      [[{ call: "create_value", args: {} }], ["done"]],
      ASK_ALL,
    );
    const { socket } = harness;
    const stranger = harness.connect();
    await send(harness);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await answer(stranger, approval_id, "approve");
    await answer(stranger, approval_id, "approve", { id: "t1" });
    assert.equal(stranger.ofType("error").length, 2);
    const wrong = [
      { id: "t2" },
      { data: { approval_id, decision: "approve", turn_id: "t2" } },
      { data: { approval_id: "other", decision: "approve" } },
      { data: { decision: "approve" } },
      { data: { approval_id: 1, decision: "approve" } },
      { data: null },
    ];
    for (const [at, more] of wrong.entries()) {
      await answer(socket, approval_id, "approve", more);
      const errors = socket.ofType("error");
      assert.equal(errors.length, at + 1, JSON.stringify(more));
      assert.equal("id" in errors[at]!, false);
      assert.deepEqual(Object.keys(errors[at]!.data), ["error"]);
    }
    assert.equal((await harness.records()).length, 0);
    await answer(socket, approval_id, "approve");
    await socket.ended("t1");
    await answer(socket, approval_id, "approve");
    assert.equal(socket.ofType("error").length, wrong.length + 1);
    assert.equal((await harness.records()).length, 1);
  });

  it("expires with a cancel: the tool never runs, a late answer is stale", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }]], ASK_ALL);
    const { socket } = harness;
    await send(harness);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await socket.say({ type: "chat.cancel", id: "t1" });
    assert.equal((await socket.ended("t1")).type, "chat.cancelled");
    await answer(socket, approval_id, "approve");
    assert.equal(socket.frames.at(-1)!.type, "error");
    assert.deepEqual(await harness.stored(), [["user", "go"]]);
  });

  it("expires with a disconnect", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }]], ASK_ALL);
    const { socket } = harness;
    await send(harness);
    await socket.next("tool.approval.request");
    const frames = socket.frames.length;
    await socket.session.close();
    assert.equal(socket.frames.length, frames);
    assert.deepEqual(await harness.stored(), [["user", "go"]]);
  });

  it("is answered while a second send is refused", async () => {
    await using harness = await harnessOf([[{ call: "create_value", args: {} }], []], ASK_ALL);
    const { socket } = harness;
    await send(harness);
    const { approval_id } = (await socket.next("tool.approval.request")).data;
    await send(harness, "t2");
    assert.match(socket.frames.at(-1)!.data.error, /turn is active/i);
    await answer(socket, approval_id, "approve");
    assert.equal((await socket.ended("t1")).type, "chat.done");
  });
});
