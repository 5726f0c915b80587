import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { it } from "node:test";
import { type ChatTurn, connect, type EngineClient, TurnFailed } from "roundhouse/client/node";
import { startEngineProcess, temporaryDirectory } from "../support/engine/process.ts";
import { startProviderServer } from "../support/providers/server.ts";
import { type Counts, rounds } from "../support/repeats.ts";
import { until } from "../support/time.ts";

type Changes = ReturnType<EngineClient["changes"]>;

const PIECES = ["One ", "two ", "three ", "four ", "five ", "six ", "seven ", "eight "];
const RESTARTS: Counts = { once: 2, long: 100 };

it("changes go on, and turns end, over every kill and restart of the engine", async () => {
  const dataDirectory = temporaryDirectory();
  const unhandled: unknown[] = [];
  const listen = (error: unknown) => unhandled.push(error);
  process.on("unhandledRejection", listen);
  let engine = await startEngineProcess({ dataDirectory });
  {
    await using provider = await startProviderServer();
    await using client = await connect({ dataDirectory });
    const changes = client.changes();
    await untilOpen(client, changes);
    const baseUrl = `${provider.url}/v1`;
    const model = { provider: "openai-compatible", model: "m", baseUrl };
    const { id: modelId } = await client.models.createConfiguration(model);
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "Turns" });
    for (const round of rounds("restarts", RESTARTS)) {
      // The provider does not answer: the turn runs when the engine is killed.
      provider.script((exchange) => exchange.head(200, { "content-type": "text/event-stream" }));
      const turn = client.chat({ workspaceUuid, content: "go", modelId });
      const turnUuid = await uuidOf(turn);
      const resync = untilResync(changes);
      await engine.end("SIGKILL");
      engine = await startEngineProcess({ dataDirectory });
      await resync;
      await assert.rejects(turn, { name: "TurnFailed", turnUuid });
      const { uuid } = await client.workspaces.create({ name: `Round ${round}` });
      await untilCreated(changes, uuid);
    }
  }
  await engine.end("SIGKILL");
  process.off("unhandledRejection", listen);
  assert.deepEqual(unhandled, []);
  rmSync(dataDirectory, { recursive: true });
});

/** After how many pieces of a text the engine is killed. */
const KILLS: Counts = { once: 1, long: PIECES.length };

it("a kill of the engine after any event of a turn never takes back text", async () => {
  const dataDirectory = temporaryDirectory();
  let engine = await startEngineProcess({ dataDirectory });
  {
    await using provider = await startProviderServer();
    await using client = await connect({ dataDirectory });
    const model = { provider: "openai-compatible", model: "m", baseUrl: `${provider.url}/v1` };
    const { id: modelId } = await client.models.createConfiguration(model);
    const { uuid: workspaceUuid } = await client.workspaces.create({ name: "Kills" });
    for (const kill of rounds("kills", KILLS)) {
      // One piece after the other, as the client has read the one before.
      let sayNext = (_piece: string) => {};
      provider.script((exchange) => {
        exchange.head(200, { "content-type": "text/event-stream" });
        sayNext = (content) =>
          exchange.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
        sayNext(PIECES[0]!);
      });
      const turn = client.chat({ workspaceUuid, content: "go", modelId });
      const seen: string[] = [];
      let away = 0;
      let restarted: Promise<void> | undefined;
      const restart = async () => {
        await engine.end("SIGKILL");
        engine = await startEngineProcess({ dataDirectory });
      };
      const reading = (async () => {
        for await (const event of turn) {
          assert.notEqual(event.type, "snapshot");
          if (event.type === "reconnecting") away += 1;
          if (event.type !== "text") continue;
          seen.push(event.delta);
          if (seen.length <= kill) sayNext(PIECES[seen.length]!);
          else restarted ??= restart();
        }
      })();
      const failure = await turn.then(
        () => undefined,
        (error: unknown) => error,
      );
      await Promise.allSettled([reading]);
      await restarted;
      assert.ok(failure instanceof TurnFailed);
      assert.ok(failure.partialText.startsWith(seen.join("")), `${kill}: ${failure.partialText}`);
      assert.ok(away > 0);
      // The same client goes on.
      assert.equal((await client.turns.get(failure.turnUuid!)).state, "interrupted");
    }
  }
  await engine.end("SIGKILL");
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

async function untilCreated(changes: Changes, workspaceUuid: string): Promise<void> {
  for (;;) {
    const { value, done } = await changes.next();
    assert.ok(!done);
    if (value.type !== "workspace.created") continue;
    assert.deepEqual(value.data, { workspaceUuid });
    return;
  }
}

async function untilResync(changes: Changes): Promise<void> {
  for (;;) {
    const { value, done } = await changes.next();
    assert.ok(!done);
    if (value.type === "resync") return;
    assert.ok(value.type !== "other");
  }
}

async function uuidOf(turn: ChatTurn): Promise<string> {
  for await (const event of turn) if (event.type === "begin") return event.turn.uuid;
  return assert.fail("The turn did not begin.");
}
