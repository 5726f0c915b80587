import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { it } from "node:test";
import { connect, type EngineClient } from "roundhouse/client/node";
import { startEngineProcess, temporaryDirectory } from "../support/processes/engine-process.ts";
import { until } from "../support/until.ts";

type Changes = ReturnType<EngineClient["changes"]>;

// How often the engine is killed: `CLIENT_RESTARTS=100 node --test test/whole/client-restarts.test.ts`.
const RESTARTS = Number(process.env.CLIENT_RESTARTS ?? 5);

it("changes go on over every kill and restart of the engine", async () => {
  const dataDirectory = temporaryDirectory();
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", listen);
  let engine = await startEngineProcess({ dataDirectory });
  {
    await using client = await connect({ dataDirectory });
    const changes = client.changes();
    await untilOpen(client, changes);
    for (let round = 0; round < RESTARTS; round += 1) {
      const resync = untilResync(changes);
      await engine.end("SIGKILL");
      engine = await startEngineProcess({ dataDirectory });
      await resync;
      const { uuid } = await client.workspaces.create({ name: `Round ${round}` });
      const { value } = await changes.next();
      assert.deepEqual(value, { type: "workspace.created", data: { workspaceUuid: uuid } });
    }
  }
  await engine.end("SIGKILL");
  process.off("unhandledRejection", listen);
  assert.deepEqual(unhandled, []);
  rmSync(dataDirectory, { recursive: true });
});

async function untilOpen({ workspaces }: EngineClient, changes: Changes): Promise<void> {
  let isOpen = false;
  const first = changes.next().then(() => {
    isOpen = true;
  });
  await until("The first change", async () => {
    await workspaces.create({ name: "First" });
    return isOpen || undefined;
  });
  await first;
}

async function untilResync(changes: Changes): Promise<void> {
  for (;;) {
    const { value, done } = await changes.next();
    assert.ok(!done);
    if (value.type === "resync") return;
    assert.equal(value.type, "workspace.created");
  }
}
