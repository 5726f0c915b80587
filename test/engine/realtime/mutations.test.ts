// Slow: it makes every change that clients hear of.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { changeEvents } from "../../../engine/events/change.ts";
import { insertGrant } from "../../../engine/grants/store.ts";
import { NO_REACH } from "../../../engine/tools/builtin/reach.ts";
import { TestSocket } from "../../support/engine/chat.ts";
import { createTestEngine, openChanges, type TestEngine } from "../../support/engine/engine.ts";
import type { StreamedEvent } from "../../support/engine/events.ts";
import { createTestFolder } from "../../support/engine/files.ts";
import { MUTATIONS } from "../../support/engine/mutations.ts";
import { ScriptedModel, scriptedChat } from "../../support/providers/model.ts";

const GRANTABLE = {
  toolName: "create_note",
  group: "note",
  operation: "create",
  reach: NO_REACH,
  server: null,
} as const;

/** In everything that a client stores, and in no change. */
const CANARY = "canary-7c1f";

/** The uuids that a path names: `{uuid}` of a thread is that of the thread. */
interface Place {
  workspaces: string;
  threads: string;
  "model-configurations": string;
  "tool-registry": string;
  "approval-grants": string;
  "client-keys": string;
}

const bodies = (place: Place, directories: string): Record<string, object> => ({
  "POST /workspaces": { name: CANARY, description: CANARY },
  "PUT /workspaces/{uuid}": { name: `${CANARY}2`, directories },
  "PUT /workspaces/{uuid}/policy": { skillsConfig: JSON.stringify({ skills: [CANARY] }) },
  "PUT /workspaces/{uuid}/instructions": { text: CANARY, useAgentsFile: true },
  "POST /client-keys": { name: CANARY, scopes: ["models"] },
  "POST /threads": { workspaceUuid: place.workspaces, title: CANARY },
  "PUT /threads/{uuid}": { title: `${CANARY}2`, description: CANARY },
  "PUT /threads/{uuid}/policy": { approvalConfig: JSON.stringify({ note: CANARY }) },
  "POST /messages": { threadUuid: place.threads, role: "user", content: CANARY },
  "POST /threads/{uuid}/turns": { content: CANARY },
  "POST /workspaces/{uuid}/turns": { content: CANARY },
  "PUT /settings": [{ key: "theme", value: CANARY, tag: "t" }],
  "POST /model-configurations": { provider: "openai", model: "m", apiKey: CANARY },
  "PUT /model-configurations/{id}": { provider: "openai", model: "n", apiKey: `${CANARY}2` },
  "PUT /model-configurations/{id}/headers": { headers: { "X-Key": CANARY } },
  "POST /tool-registry": {
    name: "n",
    toolType: "api",
    authType: "api_key",
    authConfigJson: JSON.stringify({ "X-Key": CANARY }),
  },
  "PUT /model-configurations/{id}/parameters": {
    temperature: 0.5,
    topP: null,
    maxOutputTokens: null,
  },
  "PUT /tool-registry/{uuid}": {
    name: "n2",
    authType: "api_key",
    authConfigJson: JSON.stringify({ "X-Key": `${CANARY}2` }),
  },
});

const CHANGED: Record<string, string[]> = {
  "PUT /workspaces/{uuid}": ["name", "description", "directories", "updatedAt"],
  "PUT /workspaces/{uuid}/policy": ["skillsConfig"],
  "PUT /workspaces/{uuid}/instructions": ["instructions"],
  "PUT /threads/{uuid}": ["title", "description", "updatedAt"],
  "PUT /threads/{uuid}/policy": ["approvalConfig"],
  "POST /threads/{uuid}/compact": ["summary"],
  "DELETE /threads/{uuid}/summary": ["summary"],
  "PUT /model-configurations/{id}": ["model", "apiKey"],
  "PUT /model-configurations/{id}/headers": ["headers"],
  "PUT /model-configurations/{id}/parameters": ["temperature", "topP", "maxOutputTokens"],
  "PUT /tool-registry/{uuid}": ["name", "authConfigJson"],
};

/** Calls an operation for what is in its place, and remembers the id of what it creates. */
async function carryOut(test: TestEngine, operation: string, place: Place, directories: string) {
  const [method = "", path = ""] = operation.split(" ");
  const slice = path.split("/")[1] as keyof Place;
  const concrete = path.replace(/\{(uuid|id)\}/, place[slice]).replace("{root_index}", "0");
  const body = bodies(place, directories)[operation];
  const response = await test.call(method, concrete, body);
  assert.ok(response.ok, `${operation}: ${response.status}`);
  if (response.status === 204) return;
  const answer = await response.json();
  if (method === "POST" && path === `/${slice}` && Object.hasOwn(place, slice)) {
    const id = answer.uuid ?? answer.id;
    if (id) place[slice] = id;
  }
}

describe("every mutation", () => {
  it("publishes its change, which a client can read then, and nothing that is stored", async () => {
    await using root = await createTestFolder({ "a.txt": CANARY });
    const chat = scriptedChat(new ScriptedModel([`A summary of ${CANARY}.`]));
    await using test = await createTestEngine({ chat });
    await using changes = await openChanges(test);
    const directories = JSON.stringify([root.path]);
    const place: Place = {
      workspaces: "",
      threads: "",
      "model-configurations": "",
      "tool-registry": "",
      "approval-grants": "",
      "client-keys": "",
    };
    const seen: StreamedEvent[] = [];
    for (const [operation, types] of Object.entries(MUTATIONS)) {
      if (operation.includes("/approval-grants/")) {
        const remember = { scope: "thread", match: "tool" } as const;
        const call = { ...GRANTABLE, threadUuid: place.threads };
        place["approval-grants"] = await insertGrant(test.deps, call, remember);
      }
      if (operation === "POST /threads/{uuid}/compact") {
        const message = { threadUuid: place.threads, role: "user", content: CANARY };
        for (const _ of [1, 2, 3]) await test.call("POST", "/messages", message);
      }
      await carryOut(test, operation, place, directories);
      for (const type of types) {
        const event = await untilType(changes, type, seen);
        const schema = changeEvents[type as keyof typeof changeEvents];
        assert.deepEqual(schema.parse(event.data), event.data, operation);
        if (CHANGED[operation]) assert.deepEqual(event.data.changed, CHANGED[operation]);
      }
    }
    assert.ok(!JSON.stringify(seen).includes(CANARY), "content is in a change");
    const updates = seen.filter(({ event }) => event === "settings.updated");
    assert.deepEqual(updates[0]!.data, { keys: ["theme"] });
  });

  it("of settings names no keys where they are too many or too long", async () => {
    await using test = await createTestEngine();
    await using changes = await openChanges(test);
    const many = Array.from({ length: 101 }, (_, at) => ({ key: `k${at}`, value: "v" }));
    const long = [{ key: "k".repeat(257), value: "v" }];
    for (const settings of [many, long]) {
      assert.equal((await test.call("PUT", "/settings", settings)).status, 200);
      assert.deepEqual((await changes.take(1))[0]!.data, { keys: null });
    }
  });

  it("that is refused publishes nothing", async () => {
    await using test = await createTestEngine();
    await using changes = await openChanges(test);
    const calls: [string, string, unknown][] = [
      ["POST", "/workspaces", {}],
      ["PUT", "/workspaces/x", { name: "n" }],
      ["DELETE", "/workspaces/x", undefined],
      ["POST", "/threads", { workspaceUuid: "x" }],
      ["PUT", "/threads/x", {}],
      ["DELETE", "/threads/x", undefined],
      ["PUT", "/threads/x/policy", {}],
      ["POST", "/messages", { threadUuid: "x", role: "user", content: "c" }],
      ["PUT", "/settings", []],
      ["POST", "/model-configurations", { provider: "" }],
      ["PUT", "/model-configurations/x", { provider: "p", model: "m" }],
      ["DELETE", "/model-configurations/x", undefined],
      ["DELETE", "/tool-registry/x", undefined],
    ];
    for (const [method, path, body] of calls) {
      assert.ok((await test.call(method, path, body)).status >= 400, path);
    }
    await test.call("POST", "/workspaces", { name: "n" });
    assert.deepEqual((await changes.take(1))[0]!.event, "workspace.created");
  });

  it("of a chat turn is a change, and its texts are none", async () => {
    await using test = await createTestEngine();
    const { uuid } = await (await test.call("POST", "/workspaces", { name: "w" })).json();
    await using changes = await openChanges(test);
    const socket = new TestSocket(test.engine);
    await socket.chat("t1", { content: CANARY, workspace_uuid: uuid });
    const seen: StreamedEvent[] = [];
    await untilType(changes, "turn.updated", seen);
    assert.deepEqual(
      seen.map(({ event }) => event),
      ["thread.created", "turn.updated"],
    );
    const user = await untilType(changes, "message.created", seen);
    const assistant = await untilType(changes, "message.created", seen);
    assert.deepEqual([user.data.role, assistant.data.role], ["user", "assistant"]);
    assert.ok(!JSON.stringify(seen).includes(CANARY));
    await test.engine.close();
  });
});

async function untilType(
  changes: Awaited<ReturnType<typeof openChanges>>,
  type: string,
  seen: StreamedEvent[],
): Promise<StreamedEvent> {
  for (;;) {
    const [event] = await changes.take(1);
    seen.push(event!);
    if (event!.event === type) return event!;
  }
}
