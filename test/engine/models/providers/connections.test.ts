import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  Connection,
  Connections,
  withinStep,
} from "../../../../engine/models/providers/connections.ts";
import type { SdkModel } from "../../../../engine/models/providers/sdk.ts";

type Fetch = typeof globalThis.fetch;

/** A package's model, as far as these tests use it: a step sends one request, after a while. */
function modelOver(fetch: Fetch): SdkModel {
  const doStream = async () => {
    await setImmediate();
    return fetch("http://127.0.0.1:1/");
  };
  return { doStream } as unknown as SdkModel;
}

const open = async (fetch: Fetch) => modelOver(fetch);
const answering = (text: string) => (async () => new Response(text)) as Fetch;

async function answerOf(model: SdkModel, fetch: Fetch): Promise<string> {
  const response: unknown = await withinStep(fetch, () => model.doStream({ prompt: [] }));
  return (response as Response).text();
}

describe("kept connections", () => {
  it("are found again for equal settings of the same configuration alone", () => {
    const connections = new Connections(8);
    const made = connections.get("a", { apiKey: "one" }, open);
    assert.equal(connections.get("a", { apiKey: "one" }, open), made);
    assert.notEqual(connections.get("b", { apiKey: "one" }, open), made);
    const changed = connections.get("a", { apiKey: "two" }, open);
    assert.notEqual(changed, made);
    assert.deepEqual(changed.settings, { apiKey: "two" });
    assert.notEqual(connections.get("a", { apiKey: "one" }, open), made);
  });

  it("are bounded: the one that was made first is forgotten", () => {
    const connections = new Connections(2);
    const made = ["a", "b", "c"].map((id) => connections.get(id, {}, open));
    assert.equal(connections.get("c", {}, open), made[2]);
    assert.equal(connections.get("b", {}, open), made[1]);
    assert.notEqual(connections.get("a", {}, open), made[0]);
  });

  it("open their model once, and again where that failed", async () => {
    let opened = 0;
    const connection = new Connection({}, async (fetch) => {
      opened += 1;
      if (opened === 1) throw new Error("no package");
      return modelOver(fetch);
    });
    await assert.rejects(connection.model(), /no package/);
    assert.equal(await connection.model(), await connection.model());
    assert.equal(opened, 2);
  });

  it("send each step's requests through its own fetch, however many steps run", async () => {
    const model = await new Connection({}, open).model();
    const steps = Array.from({ length: 20 }, (_, at) => answerOf(model, answering(`step ${at}`)));
    const answers = await Promise.all(steps);
    assert.deepEqual(
      answers,
      answers.map((_, at) => `step ${at}`),
    );
  });

  it("send nothing outside of a step", async () => {
    const model = await new Connection({}, open).model();
    await assert.rejects(async () => model.doStream({ prompt: [] }), /outside of a step/);
  });
});
