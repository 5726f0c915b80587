// Slow: it takes a second of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApprovalRequest, ChatEvent } from "../../../../engine/client/client.ts";
import { createTestClient } from "../../../support/engine/engine.ts";
import { harnessOf } from "../../../support/engine/turns.ts";
import { json } from "../../../support/http.ts";

const CALL = { call: "create_value", args: { some_name: "value", otherName: 1 } };

/** A client of an engine whose model calls a tool that asks first. */
async function askingHarness() {
  const harness = await harnessOf([[CALL], ["done"]], { approvalConfig: null });
  const input = { threadUuid: harness.threadUuid, content: "go" };
  return Object.assign(harness, createTestClient(harness.test), { input });
}

const statesOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === "approval" ? event.state : []));

describe("onApproval", () => {
  it("gets the call exactly as it will run", async () => {
    await using harness = await askingHarness();
    const asked: ApprovalRequest[] = [];
    const onApproval = (request: ApprovalRequest) => asked.push(request) > 0;
    const { turnUuid } = await harness.client.chat(harness.input, { onApproval });
    assert.equal(asked.length, 1);
    const { uuid, requestedAt, ...rest } = asked[0]!;
    assert.ok(uuid && requestedAt);
    assert.deepEqual(rest, {
      turnUuid,
      threadUuid: harness.threadUuid,
      toolName: "create_value",
      serverName: null,
      clientKey: null,
      operation: "create",
      arguments: CALL.args,
      argumentsTruncated: false,
      state: "waiting",
    });
  });

  const throwing = () => {
    throw new Error("no");
  };
  const HANDLERS: [name: string, handler: (() => unknown) | undefined, state: string][] = [
    ["approve", () => "approve", "approved"],
    ["true", () => true, "approved"],
    ["a promise of approve", async () => "approve", "approved"],
    ["an object that approves", () => ({ decision: "approve" }), "approved"],
    ["an object that denies", () => ({ decision: "deny" }), "denied"],
    ["deny", () => "deny", "denied"],
    ["nothing", () => undefined, "denied"],
    ["a truthy object", () => ({ approve: true }), "denied"],
    ["yes", () => "yes", "denied"],
    ["a throw", throwing, "denied"],
    ["a rejection", async () => throwing(), "denied"],
    ["no handler", undefined, "denied"],
  ];
  for (const [name, onApproval, state] of HANDLERS) {
    it(`with ${name} is ${state}`, async () => {
      await using harness = await askingHarness();
      const events = await Array.fromAsync(harness.client.chat(harness.input, { onApproval }));
      assert.deepEqual(statesOf(events), ["waiting", state]);
      assert.equal(events.at(-1)?.type, "end");
    });
  }

  it("remembers what it says, and denies what cannot be remembered", async () => {
    await using harness = await askingHarness();
    const { client, input } = harness;
    const decide = async (match: string) => {
      const onApproval = () => ({ decision: "approve", remember: { scope: "thread", match } });
      return statesOf(await Array.fromAsync(client.chat(input, { onApproval })));
    };
    assert.deepEqual(await decide("path"), ["waiting", "denied"]);
    harness.model.add([CALL], ["done"]);
    assert.deepEqual(await decide("tool"), ["waiting", "approved"]);
    assert.equal((await client.turns.listApprovalGrants({})).length, 1);
    harness.model.add([CALL], ["done"]);
    assert.deepEqual(await decide("tool"), []);
  });

  it("that never answers waits, until another client answers and its signal is aborted", async () => {
    await using harness = await askingHarness();
    const aborted = Promise.withResolvers<void>();
    const turn = harness.client.chat(harness.input, {
      onApproval: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {});
      },
    });
    for await (const event of turn) {
      if (event.type !== "approval" || event.state !== "waiting") continue;
      const path = `/approvals/${event.uuid}`;
      await json(await harness.test.call("POST", path, { decision: "approve" }));
    }
    await aborted.promise;
    assert.equal((await turn).text, "done");
  });

  it("that answers after another client changes nothing", async () => {
    await using harness = await askingHarness();
    const turn = harness.client.chat(harness.input, {
      onApproval: async ({ uuid }) => {
        await harness.test.call("POST", `/approvals/${uuid}`, { decision: "deny" });
        return "approve";
      },
    });
    assert.deepEqual(statesOf(await Array.fromAsync(turn)), ["waiting", "denied"]);
  });

  it("is left to others where a turn is followed without it", async () => {
    await using harness = await askingHarness();
    let isFollowed = false;
    const turn = harness.client.chat(harness.input, { onApproval: () => new Promise(() => {}) });
    for await (const event of turn) {
      if (event.type !== "approval" || event.state !== "waiting") continue;
      const followed = createTestClient(harness.test).client.follow(event.turnUuid ?? "", {
        onApproval: () => true,
      });
      assert.deepEqual(statesOf(await Array.fromAsync(followed)), ["waiting", "approved"]);
      isFollowed = true;
    }
    assert.ok(isFollowed);
  });
});
