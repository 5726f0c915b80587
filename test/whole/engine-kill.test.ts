import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import Connection from "libsql";
import {
  type EngineProcess,
  startEngineProcess,
  temporaryDirectory,
} from "../support/engine/process.ts";
import { type Counts, rounds } from "../support/repeats.ts";

const KILLS: Counts = { once: 2, long: 100 };
const WRITERS = 8;
const ACKNOWLEDGED_BEFORE_KILL_MAX = 60;

it("after each kill -9 in the middle of writes, every acknowledged message is there", async () => {
  const dataDirectory = temporaryDirectory();
  const acknowledged = new Map<string, Set<string>>();
  for (const kill of rounds("kills", KILLS)) {
    await using engine = await startEngineProcess({ dataDirectory });
    assert.equal(integrityOf(dataDirectory), "ok");
    await assertAllThere(engine, acknowledged);
    acknowledged.clear();
    const killAfter = 1 + ((kill * 37) % ACKNOWLEDGED_BEFORE_KILL_MAX);
    const thread = await createThread(engine);
    acknowledged.set(thread, await writeUntilKilled(engine, thread, killAfter));
  }
  await using engine = await startEngineProcess({ dataDirectory });
  await assertAllThere(engine, acknowledged);
  assert.equal(integrityOf(dataDirectory), "ok");
  await engine.end("SIGTERM");
  rmSync(dataDirectory, { recursive: true });
});

/** Several writers at once; the process dies while most of them wait for an answer. */
async function writeUntilKilled(
  engine: EngineProcess,
  threadUuid: string,
  killAfter: number,
): Promise<Set<string>> {
  const acknowledged = new Set<string>();
  const write = async (writer: number) => {
    for (let turn = 0; ; turn += 1) {
      const content = `${writer}/${turn} ${"x".repeat(200)}`;
      try {
        const answer = await engine.call("POST", "/messages", {
          threadUuid,
          role: "user",
          content,
        });
        assert.equal(answer.status, 200);
        // The status line is the acknowledgement; the body may be cut off by the kill.
        acknowledged.add(content);
        if (acknowledged.size >= killAfter) engine.child.kill("SIGKILL");
        await answer.arrayBuffer();
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  assert.ok(acknowledged.size >= killAfter);
  return acknowledged;
}

async function createThread(engine: EngineProcess): Promise<string> {
  const workspace = await engine.call("POST", "/workspaces", { name: "w" });
  const { uuid: workspaceUuid } = (await workspace.json()) as { uuid: string };
  const thread = await engine.call("POST", "/threads", { workspaceUuid });
  return ((await thread.json()) as { uuid: string }).uuid;
}

async function assertAllThere(
  engine: EngineProcess,
  acknowledged: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<void> {
  for (const [thread, contents] of acknowledged) {
    const answer = await engine.call("GET", `/threads/${thread}/messages`);
    const stored = new Set(
      ((await answer.json()) as { content: string }[]).map(({ content }) => content),
    );
    assert.deepEqual(
      [...contents].filter((content) => !stored.has(content)),
      [],
    );
  }
}

// Beside the running engine, so that the engine itself was the one to recover the file.
function integrityOf(dataDirectory: string): unknown {
  const connection = new Connection(join(dataDirectory, "engine.db"), { readonly: true });
  try {
    return (connection.prepare("PRAGMA integrity_check").get() as { integrity_check: string })
      .integrity_check;
  } finally {
    connection.close();
  }
}
