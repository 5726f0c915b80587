// Slow: it takes seconds of the processor; the fast run leaves it out.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createGrantHarness, type GrantHarness } from "../../support/engine/grants.ts";
import { json } from "../../support/http.ts";
import { repeats } from "../../support/repeats.ts";

const READ_FREE = '{"read":false}';

const Case = fc.record({
  policyAsks: fc.boolean(),
  grant: fc.constantFrom(
    undefined,
    { scope: "thread", match: "tool" },
    { scope: "thread", match: "path" },
    { scope: "workspace", match: "tool" },
    { scope: "workspace", match: "path" },
  ),
  place: fc.constantFrom("granted folder", "elsewhere"),
  isProtected: fc.boolean(),
  isSensitive: fc.boolean(),
  isChanged: fc.boolean(),
  thread: fc.constantFrom("same", "other", "fork", "with a policy of its own"),
  kind: fc.constantFrom("http" as const, "websocket" as const),
});
type Case = typeof Case extends fc.Arbitrary<infer Value> ? Value : never;

/** Whether a call asks. */
function asks({ policyAsks, grant, place, isProtected, isSensitive, isChanged, thread }: Case) {
  if (isProtected || isSensitive) return true;
  if (!policyAsks) return false;
  if (!grant || isChanged) return true;
  if (grant.match === "path" && place === "elsewhere") return true;
  return grant.scope === "thread" ? thread !== "same" : thread === "with a policy of its own";
}

/** A file of each kind; one that is neither protected nor sensitive lies in the granted folder or beside it. */
function pathOf({ isProtected, isSensitive, place }: Case): string {
  if (isProtected) return isSensitive ? "data/auth.json" : "data/runtime.json";
  if (isSensitive) return "notes/auth.json";
  return place === "granted folder" ? "notes/sub/c.txt" : "top.txt";
}

/** A workspace of its own for each case, so that no grant is left over. */
async function runCase(harness: GrantHarness, at: Case): Promise<boolean> {
  const { test, folder } = harness;
  const root = folder.at("root");
  const settings = { name: "w", approvalConfig: null as string | null, directories: [root] };
  const put = (method: string, path: string) =>
    test.call(method, path, { ...settings, directories: JSON.stringify(settings.directories) });
  const { uuid } = await json(await put("POST", "/workspaces"));
  const granted = await harness.newThread(uuid);
  const read = (path: string) => [{ name: "read_workspace_file", args: { root_index: 0, path } }];
  const first = await harness.run(read("notes/a.txt"), { threadUuid: granted, remember: at.grant });
  assert.deepEqual(first.asked, [true]);
  if (!at.policyAsks) settings.approvalConfig = READ_FREE;
  if (at.isChanged) settings.directories.push(folder.at("outside"));
  if (!at.policyAsks || at.isChanged) await json(await put("PUT", `/workspaces/${uuid}`));
  const fork = async () =>
    (await json(await test.call("POST", `/threads/${granted}/forks`, {}), 201)).uuid;
  const others = { same: async () => granted, fork };
  const find = others[at.thread as keyof typeof others] ?? (() => harness.newThread(uuid));
  const threadUuid: string = await find();
  if (at.thread === "with a policy of its own") {
    const approvalConfig = settings.approvalConfig ?? "{}";
    await json(await test.call("PUT", `/threads/${threadUuid}/policy`, { approvalConfig }));
  }
  const options = { threadUuid, kind: at.kind };
  const { asked, statuses, grantUuids } = await harness.run(read(pathOf(at)), options);
  assert.deepEqual(statuses, ["completed"]);
  assert.equal(grantUuids.length, asked[0] || !at.policyAsks ? 0 : 1);
  const isMet = at.policyAsks && at.isChanged && !at.isProtected && !at.isSensitive;
  const isLooked =
    at.grant?.scope === "thread" ? at.thread === "same" : at.thread !== "with a policy of its own";
  const left = at.grant && !(isMet && isLooked) ? 1 : 0;
  assert.equal((await harness.grants(`?workspaceUuid=${uuid}`)).length, left);
  return asked[0]!;
}

describe("a call", () => {
  it("asks as policy, grants, path, fingerprint, thread and kind of turn say", async () => {
    await using harness = await createGrantHarness();
    const check = async (at: Case) => assert.equal(await runCase(harness, at), asks(at));
    await fc.assert(fc.asyncProperty(Case, check), { numRuns: repeats({ once: 12, long: 600 }) });
  });
});
