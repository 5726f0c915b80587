import assert from "node:assert/strict";
import { it } from "node:test";
import type { CreateWorkspace, Workspace } from "../../../../engine/client/client.ts";
import { changeLocked } from "../../../../engine/console/page/ui/locked-change.ts";

const tick = () => new Promise(setImmediate);

/** A workspace of an engine that answers later: an update replaces all of its fields. */
function storedWorkspace() {
  let stored = { uuid: "w", name: "Old", description: null, approvalConfig: null } as Workspace;
  return {
    get stored() {
      return stored;
    },
    async get() {
      await tick();
      const read = stored;
      await tick();
      return read;
    },
    async update(_uuid: string, input: CreateWorkspace) {
      await tick();
      stored = { ...stored, ...input } as Workspace;
      return stored;
    },
  };
}

it("two tabs that change different fields of one workspace at once lose none", async () => {
  const workspaces = storedWorkspace();
  await Promise.all([
    changeLocked(workspaces, "w", () => ({ name: "New" })),
    changeLocked(workspaces, "w", () => ({ description: "Of the other tab" })),
    changeLocked(workspaces, "w", ({ name }) => ({ approvalConfig: { read: name !== "New" } })),
  ]);
  const { name, description, approvalConfig } = workspaces.stored;
  assert.deepEqual(
    { name, description, approvalConfig },
    { name: "New", description: "Of the other tab", approvalConfig: { read: false } },
  );
});

it("a change that fails keeps no later one from its turn", async () => {
  const workspaces = storedWorkspace();
  const failing = changeLocked(workspaces, "w", () => {
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  assert.equal((await changeLocked(workspaces, "w", () => ({ name: "New" }))).name, "New");
});
