import assert from "node:assert/strict";
import { describe, it, mock } from "node:test";
import type { InStatement } from "@libsql/client";
import { UUID } from "../../support/engine/chat.ts";
import { openChanges } from "../../support/engine/engine.ts";
import {
  endOf,
  eventsOf,
  harnessOf,
  openEvents,
  send,
  startTurn,
  turnOf,
} from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";

const CALL = { call: "create_value", args: { value: "secret canary" } };

/** A turn over HTTP that waits for an approval. */
async function waitingHarness() {
  const harness = await harnessOf([[CALL], ["done"]], { approvalConfig: null });
  const turn = await startTurn(harness);
  await using reader = await openEvents(harness, turn);
  while ((await reader.take(1))[0]!.event !== "approval");
  const [approval] = await json(await harness.test.call("GET", "/approvals"));
  const decide = (body: unknown = { decision: "approve" }) =>
    harness.test.call("POST", `/approvals/${approval.uuid}`, body);
  return Object.assign(harness, { turn, approval, decide });
}

describe("an approval of a turn over HTTP", () => {
  it("is listed while it waits, and its turn waits", async () => {
    await using harness = await waitingHarness();
    const { test, turn, approval, threadUuid } = harness;
    const { uuid, ...rest } = approval;
    assert.match(uuid, UUID);
    assert.deepEqual(rest, {
      turnUuid: turn.uuid,
      threadUuid,
      toolName: "create_value",
      serverName: null,
      operation: "create",
      arguments: { value: "secret canary" },
      argumentsTruncated: false,
      requestedAt: "2026-01-02T03:04:05.000Z",
      clientKey: null,
      state: "waiting",
    });
    assert.equal((await turnOf(test, turn.uuid)).state, "waiting");
    await json(await harness.decide());
    assert.deepEqual(await json(await test.call("GET", "/approvals")), []);
    assert.equal((await endOf(harness, turn)).state, "completed");
  });

  const DECISIONS: [decision: unknown, state: string, status: string][] = [
    ["approve", "approved", "completed"],
    ["APPROVE", "approved", "completed"],
    ["approved", "denied", "denied"],
    ["deny", "denied", "denied"],
    ["", "denied", "denied"],
    [true, "denied", "denied"],
    [["approve"], "denied", "denied"],
    [null, "denied", "denied"],
    [undefined, "denied", "denied"],
  ];
  for (const [decision, state, status] of DECISIONS) {
    it(`is ${state} by ${JSON.stringify(decision)}`, async () => {
      await using harness = await waitingHarness();
      const settled = await json(await harness.decide({ decision }));
      assert.deepEqual(settled, { ...harness.approval, state });
      const events = await eventsOf(harness, harness.turn);
      const shown = events.filter(({ event }) => event === "approval" || event === "tool");
      assert.deepEqual(
        shown.map(({ event, data }) => `${event} ${data.state}`),
        [
          "tool waiting",
          "approval waiting",
          `approval ${state}`,
          ...(state === "approved" ? ["tool running"] : []),
          `tool ${status}`,
        ],
      );
      assert.equal((await harness.records())[0].status, status);
    });
  }

  it("takes one of two answers that come at once", async () => {
    await using harness = await waitingHarness();
    const answers = await Promise.all([harness.decide(), harness.decide({ decision: "deny" })]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
    const won = await json(answers.find(({ status }) => status === 200)!);
    await endOf(harness, harness.turn);
    const [{ status }] = await harness.records();
    assert.equal(status, won.state === "approved" ? "completed" : "denied");
    await json(await harness.decide(), 409);
  });

  it("is 409 once its turn is cancelled, and runs nothing", async () => {
    await using harness = await waitingHarness();
    await json(await harness.test.call("POST", `/turns/${harness.turn.uuid}/cancel`), 202);
    assert.deepEqual(await json(await harness.test.call("GET", "/approvals")), []);
    await json(await harness.decide(), 409);
    const events = await eventsOf(harness, harness.turn);
    assert.equal(events.findLast(({ event }) => event === "approval")!.data.state, "expired");
    assert.deepEqual(await harness.records(), []);
  });

  for (const what of ["thread", "workspace"] as const) {
    it(`is 404 once its ${what} is deleted`, async () => {
      await using harness = await waitingHarness();
      const { test, threadUuid, workspaceUuid } = harness;
      const path = what === "thread" ? `/threads/${threadUuid}` : `/workspaces/${workspaceUuid}`;
      await test.call("DELETE", path);
      await json(await harness.decide(), 404);
      assert.deepEqual(await json(await test.call("GET", "/approvals")), []);
      await new Promise(setImmediate);
      await json(await harness.decide(), 404);
    });
  }

  it("can be answered as soon as its turn is shown as waiting", async () => {
    await using harness = await harnessOf([[CALL], ["done"]], { approvalConfig: null });
    const { test } = harness;
    const { $client } = test.deps.db;
    const execute = $client.execute.bind($client);
    const heard = Promise.withResolvers<void>();
    const late = mock.method($client, "execute", async (statement: InStatement) => {
      const result = await execute(statement);
      if (JSON.stringify(statement).includes('"state":"waiting"')) await heard.promise;
      return result;
    });
    const turn = await startTurn(harness);
    while ((await turnOf(test, turn.uuid)).state === "running") await new Promise(setImmediate);
    late.mock.restore();
    const [approval] = await json(await test.call("GET", "/approvals"));
    const path = `/approvals/${approval.uuid}`;
    await json(await test.call("POST", path, { decision: "approve" }));
    heard.resolve();
    assert.equal((await endOf(harness, turn)).state, "completed");
    assert.equal((await harness.records())[0].status, "completed");
  });

  it("is 404 where it is unknown, and 400 where the body is no object", async () => {
    await using harness = await waitingHarness();
    await json(await harness.test.call("POST", "/approvals/none", { decision: "approve" }), 404);
    for (const body of ["no json", "[]", "null", '"approve"'])
      await json(await harness.decide(body), 400);
    assert.equal((await json(await harness.test.call("GET", "/approvals"))).length, 1);
  });

  it("of a socket is the socket's alone", async () => {
    await using harness = await harnessOf([[CALL], ["done"]], { approvalConfig: null });
    await send(harness);
    const { approval_id } = (await harness.socket.next("tool.approval.request")).data;
    assert.deepEqual(await json(await harness.test.call("GET", "/approvals")), []);
    const path = `/approvals/${approval_id}`;
    await json(await harness.test.call("POST", path, { decision: "approve" }), 404);
  });
});

describe("the changes of a turn", () => {
  it("are its states and its approvals, and none of its text or arguments", async () => {
    await using harness = await harnessOf([["canary answer", CALL], ["canary end"]], {
      approvalConfig: null,
    });
    await using changes = await openChanges(harness.test);
    const turn = await startTurn(harness, { content: "canary question" });
    const { workspaceUuid, threadUuid } = harness;
    const turnChange = (state: string) => [
      "turn.updated",
      { turnUuid: turn.uuid, threadUuid, workspaceUuid, state },
    ];
    const seen = [];
    for (;;) {
      const { event, data } = (await changes.take(1))[0]!;
      seen.push([event, data]);
      if (event === "approval.requested") {
        const path = `/approvals/${data.approvalUuid}`;
        await json(await harness.test.call("POST", path, { decision: "approve" }));
      }
      if (event === "turn.updated" && data.state === "completed") break;
    }
    const { approvalUuid } = seen.find(([event]) => event === "approval.requested")![1];
    const approval = { approvalUuid, turnUuid: turn.uuid, threadUuid };
    assert.deepEqual(
      seen.filter(([event]) => event !== "message.created"),
      [
        turnChange("running"),
        ["approval.requested", approval],
        turnChange("waiting"),
        ["approval.settled", { ...approval, state: "approved" }],
        turnChange("running"),
        turnChange("completed"),
      ],
    );
    assert.doesNotMatch(JSON.stringify(seen), /canary/);
  });

  it("are published for a turn of a socket, too", async () => {
    await using harness = await harnessOf([["done"]]);
    await using changes = await openChanges(harness.test);
    await send(harness);
    await harness.socket.ended("t1");
    const events = await changes.take(4);
    assert.deepEqual(
      events.filter(({ event }) => event === "turn.updated").map(({ data }) => data.state),
      ["running", "completed"],
    );
  });
});
