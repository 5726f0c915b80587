import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApprovalRequest, ChatEvent } from "../../../../engine/client/client.ts";
import { createTestClient } from "../../../support/engine/client.ts";
import { worldOf } from "../../../support/engine/tool-turns.ts";
import { json } from "../../../support/json.ts";

const CALL = { call: "create_value", args: { some_name: "value", otherName: 1 } };

/** A client of an engine whose model calls a tool that asks first. */
async function askingWorld() {
  const world = await worldOf([[CALL], ["done"]], { approvalConfig: null });
  const input = { threadUuid: world.threadUuid, content: "go" };
  return Object.assign(world, createTestClient(world.test), { input });
}

const statesOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === "approval" ? event.state : []));

describe("onApproval", () => {
  it("gets the call exactly as it will run", async () => {
    await using world = await askingWorld();
    const asked: ApprovalRequest[] = [];
    const onApproval = (request: ApprovalRequest) => asked.push(request) > 0;
    const { turnUuid } = await world.client.chat(world.input, { onApproval });
    assert.equal(asked.length, 1);
    const { uuid, requestedAt, ...rest } = asked[0]!;
    assert.ok(uuid && requestedAt);
    assert.deepEqual(rest, {
      turnUuid,
      threadUuid: world.threadUuid,
      toolName: "create_value",
      operation: "create",
      arguments: CALL.args,
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
      await using world = await askingWorld();
      const events = await Array.fromAsync(world.client.chat(world.input, { onApproval }));
      assert.deepEqual(statesOf(events), ["waiting", state]);
      assert.equal(events.at(-1)?.type, "end");
    });
  }

  it("that never settles waits, until another client answers and its signal is aborted", async () => {
    await using world = await askingWorld();
    const aborted = Promise.withResolvers<void>();
    const turn = world.client.chat(world.input, {
      onApproval: (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => {});
      },
    });
    for await (const event of turn) {
      if (event.type !== "approval" || event.state !== "waiting") continue;
      const path = `/approvals/${event.uuid}`;
      await json(await world.test.call("POST", path, { decision: "approve" }));
    }
    await aborted.promise;
    assert.equal((await turn).text, "done");
  });

  it("that answers after another client changes nothing", async () => {
    await using world = await askingWorld();
    const turn = world.client.chat(world.input, {
      onApproval: async ({ uuid }) => {
        await world.test.call("POST", `/approvals/${uuid}`, { decision: "deny" });
        return "approve";
      },
    });
    assert.deepEqual(statesOf(await Array.fromAsync(turn)), ["waiting", "denied"]);
  });

  it("is left to others where a turn is followed without it", async () => {
    await using world = await askingWorld();
    let isFollowed = false;
    const turn = world.client.chat(world.input, { onApproval: () => new Promise(() => {}) });
    for await (const event of turn) {
      if (event.type !== "approval" || event.state !== "waiting") continue;
      const followed = createTestClient(world.test).client.follow(event.turnUuid ?? "", {
        onApproval: () => true,
      });
      assert.deepEqual(statesOf(await Array.fromAsync(followed)), ["waiting", "approved"]);
      isFollowed = true;
    }
    assert.ok(isFollowed);
  });
});
