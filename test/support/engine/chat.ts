import { json } from "../json.ts";
import { createTestEngine, type EngineOverrides, type TestEngine } from "./engine.ts";
import { TestSocket } from "./socket.ts";

/** An engine with a workspace and a thread, and a connection to it. */
export interface ChatWorld extends AsyncDisposable {
  test: TestEngine;
  socket: TestSocket;
  workspaceUuid: string;
  threadUuid: string;
  connect(): TestSocket;
  /** The stored messages of the thread, as `[role, content]`. */
  stored(threadUuid?: string): Promise<[string, string][]>;
  /** The stored tool records of the thread. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape.
  records(): Promise<any[]>;
}

/** Nothing is asked before any operation. */
export const NOTHING_ASKED = '{"create":false,"read":false,"update":false,"delete":false}';

export async function createChatWorld(
  overrides: EngineOverrides = {},
  workspace: Record<string, unknown> = {},
): Promise<ChatWorld> {
  const test = await createTestEngine(overrides);
  const created = await json(
    await test.call("POST", "/workspaces", {
      name: "w",
      approvalConfig: NOTHING_ASKED,
      ...workspace,
    }),
  );
  const workspaceUuid = created.uuid;
  const thread = await json(await test.call("POST", "/threads", { workspaceUuid }));
  test.publishedEvents();
  const connect = () => new TestSocket(test.engine);
  const list = async (uuid: string): Promise<[string, string][]> => {
    const messages = await json(await test.call("GET", `/threads/${uuid}/messages`));
    return messages.map(({ role, content }: { role: string; content: string }) => [role, content]);
  };
  return {
    test,
    socket: connect(),
    workspaceUuid,
    threadUuid: thread.uuid,
    connect,
    stored: (threadUuid = thread.uuid) => list(threadUuid),
    records: async () =>
      (await list(thread.uuid))
        .filter(([role]) => role === "tool")
        .map(([, content]) => JSON.parse(content)),
    [Symbol.asyncDispose]: async () => {
      await test.engine.close();
      await test[Symbol.asyncDispose]();
    },
  };
}
