import assert from "node:assert/strict";
import { it } from "node:test";
import { changeWorkspace, makeWorkspace } from "../../../engine/cli/workspace-choice.ts";
import type { CreateWorkspace, EngineClient, Workspace } from "../../../engine/client/client.ts";
import { sharedFolder } from "../../support/engine/files.ts";

const folder = sharedFolder();
const { signal } = new AbortController();

/** An engine with one workspace that another client changes once it was read, or listed, for the first time. */
function changedMeanwhile(meanwhile: Partial<Workspace>) {
  let stored = { uuid: "w", name: "Notes", description: null, directories: ["/a"] } as Workspace;
  const read = () => {
    const current = stored;
    stored = { ...stored, ...meanwhile };
    return current;
  };
  const workspaces = {
    list: async () => [read()],
    get: async () => read(),
    update: async (_uuid: string, input: CreateWorkspace) => {
      stored = { ...stored, ...input } as Workspace;
      return stored;
    },
  };
  return { workspaces, read } as unknown as EngineClient & { read(): Workspace };
}

it("a command that adds a root keeps what another client changed since it listed the workspaces", async () => {
  const engine = changedMeanwhile({ description: "Of the console", directories: ["/a", "/b"] });
  const wanted = { workspace: "Notes", root: folder };
  const made = await makeWorkspace(engine, wanted, { folder, signal });
  assert.equal(made.description, "Of the console");
  assert.deepEqual(made.directories, ["/a", "/b", folder]);
});

it("a change is made to the fields as they are when it is written", async () => {
  const engine = changedMeanwhile({ description: "Of the console" });
  engine.read();
  const changed = await changeWorkspace(engine, "w", () => ({ defaultModelId: "m" }), signal);
  assert.equal(changed.description, "Of the console");
  assert.equal(changed.defaultModelId, "m");
});
