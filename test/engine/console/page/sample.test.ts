import assert from "node:assert/strict";
import { it } from "node:test";
import type { EngineStatus } from "../../../../engine/client/client.ts";
import { sampleOf } from "../../../../engine/console/page/home/sample.ts";

const status = (startedAt: string, requests: number): EngineStatus => ({
  version: "1.0.0",
  startedAt,
  uptimeSeconds: 1,
  clients: { sockets: 0, eventStreams: 1 },
  memory: { residentBytes: 7, heapBytes: 3 },
  requests,
  findings: null,
});

it("a sample has the requests a second since the one before", () => {
  const sample = sampleOf(status("a", 10), status("a", 16), 3000);
  assert.deepEqual(sample, { memoryBytes: 7, requestRate: 2 });
});

it("there is no sample over a restart, from the first answer, or without time between", () => {
  assert.equal(sampleOf(undefined, status("a", 1), 3000), undefined);
  assert.equal(sampleOf(status("a", 10), status("b", 1), 3000), undefined);
  assert.equal(sampleOf(status("a", 1), status("a", 2), 0), undefined);
});
