import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelPart } from "../../../engine/models/language-model.ts";
import type { StreamedEvent } from "../../support/engine/events.ts";
import { eventsOf, harnessOf, openEvents, startTurn } from "../../support/engine/turns.ts";
import { json } from "../../support/http.ts";
import { DocumentSchemas } from "../../support/schemas.ts";

const EVENT = "/components/schemas/TurnEvent";
const schemas = new DocumentSchemas("engine/openapi.json");

function assertDescribed(events: readonly StreamedEvent[]): void {
  for (const event of events) {
    assert.deepEqual(schemas.faults(EVENT, event), [], JSON.stringify(event));
  }
}

const typesOf = (events: readonly StreamedEvent[]) => new Set(events.map(({ event }) => event));

describe("the document describes the events of a turn", () => {
  it("that calls a tool after an approval, and its snapshot", async () => {
    const call = { call: "create_value", args: { value: 1 } };
    await using harness = await harnessOf([["Look: ", call], ["done"]], { approvalConfig: null });
    const turn = await startTurn(harness);
    await using reader = await openEvents(harness, turn);
    while ((await reader.take(1))[0]!.event !== "approval");
    const [approval] = await json(await harness.test.call("GET", "/approvals"));
    await json(
      await harness.test.call("POST", `/approvals/${approval.uuid}`, { decision: "approve" }),
    );
    const events = await eventsOf(harness, turn);
    const late = await eventsOf(harness, turn, "?after=nonsense");
    assertDescribed([...events, ...late]);
    const own = ["tool", "approval", "model.delta", "run.started", "run.completed", "end"];
    for (const type of own) assert.ok(typesOf(events).has(type), type);
    assert.ok(typesOf(late).has("snapshot"));
  });

  it("that fails", async () => {
    const failing = async function* (): AsyncIterable<ModelPart> {
      yield { type: "delta", text: "half" };
      throw new Error("The provider is gone.");
    };
    await using harness = await harnessOf([failing]);
    const events = await eventsOf(harness, await startTurn(harness));
    assertDescribed(events);
    assert.ok(typesOf(events).has("run.failed"));
  });

  it("and finds a field that is missing, one that is too much, and another type", async () => {
    const data = { attempt: 1, afterMs: 2, reason: "x" };
    const event = { id: "1", event: "retry", data };
    assertDescribed([event]);
    const { reason, ...incomplete } = data;
    for (const wrong of [
      { data: incomplete },
      { data: { ...data, more: 1 } },
      { event: "other" },
    ]) {
      assert.notDeepEqual(schemas.faults(EVENT, { ...event, ...wrong }), []);
    }
  });
});
