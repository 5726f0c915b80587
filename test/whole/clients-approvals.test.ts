import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { it } from "node:test";
import { connect } from "roundhouse/client/node";
import { snippetsOf } from "../house/snippets.ts";
import { ROOT } from "../house/sources.ts";
import { startEngineProcess } from "../support/engine/process.ts";
import { answerChunks, startProviderServer } from "../support/providers/server.ts";
import { PROVIDER_WIRES } from "../support/providers/wires.ts";
import { until } from "../support/time.ts";

const wire = PROVIDER_WIRES.find(({ provider }) => provider === "openai-compatible")!;

it("the program of CLIENTS.md answers the approvals of other clients", async () => {
  await using provider = await startProviderServer();
  await using engine = await startEngineProcess();
  const { dataDirectory } = engine;
  await using client = await connect({ dataDirectory });
  const baseUrl = provider.url + wire.basePath;
  const model = { provider: wire.provider, model: "m", baseUrl };
  const { id: modelId } = await client.models.createConfiguration(model);
  const { uuid: workspaceUuid } = await client.workspaces.create({ name: "Approvals" });
  const [program = ""] = snippetsOf("CLIENTS.md", "ts approvals");
  // It says that it reads once it has a change.
  const says = program.replace("if (", 'console.log("reads");\n  if (');
  assert.notEqual(says, program);
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", says], {
    cwd: ROOT,
    env: { ...process.env, ENGINE_DATA_DIR: dataDirectory },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    let reads = false;
    child.stdout.once("data", () => {
      reads = true;
    });
    await until("The first change", async () => {
      await client.settings.update([{ key: "any", value: "1" }]);
      return reads || undefined;
    });
    const states: string[] = [];
    for (const name of ["list_notes", "create_note"]) {
      const call = { id: "c1", name, fragments: ['{"title":"t","content":"c"}'] };
      provider.script(answerChunks(wire.contentType, wire.chunks([{ call }])));
      provider.script(answerChunks(wire.contentType, wire.chunks([{ text: "done" }])));
      const input = { workspaceUuid, content: "go", modelId };
      const turn = client.chat(input, { onApproval: () => new Promise(() => {}) });
      for await (const event of turn) if (event.type === "approval") states.push(event.state);
      assert.equal((await turn).text, "done");
    }
    assert.deepEqual(states, ["waiting", "approved", "waiting", "denied"]);
  } finally {
    child.kill("SIGKILL");
  }
});
