import { type ChatWorld, createChatWorld, NOTHING_ASKED } from "../engine/chat.ts";
import type { EngineOverrides } from "../engine/engine.ts";
import { json } from "../json.ts";
import { ScriptedModel, type ScriptedStep, scriptedChat } from "../providers/model.ts";

/** A chat with MCP servers, whose model takes scripted steps. */
export interface McpWorld extends ChatWorld {
  model: ScriptedModel;
  /** Registers a server and switches it on for the thread. Returns the uuid of its record. */
  addServer(name: string, url: string, more?: object, toggles?: object): Promise<string>;
  /** The tools of MCP servers that a request to the model offered. */
  offered(request?: number): string[];
}

export const HEADER_CANARY = "mcp-canary-5d1c9b7a";

export async function createMcpWorld(
  steps: ScriptedStep[],
  {
    approvalConfig = NOTHING_ASKED,
    ...overrides
  }: EngineOverrides & { approvalConfig?: string } = {},
): Promise<McpWorld> {
  const model = new ScriptedModel(...steps);
  const world = await createChatWorld(
    { chat: scriptedChat(model, { tools: [] }), fetch: globalThis.fetch, ...overrides },
    { approvalConfig },
  );
  const mcp: Record<string, unknown> = {};
  const { test, workspaceUuid } = world;
  return Object.assign(world, {
    model,
    async addServer(name: string, url: string, more: object = {}, toggles: object = {}) {
      const record = {
        name,
        toolType: "mcp",
        endpointUrl: `${url}/mcp`,
        authType: "api_key",
        authConfigJson: JSON.stringify({ Authorization: `Bearer ${HEADER_CANARY}` }),
        ...more,
      };
      const { uuid } = await json(await test.call("POST", "/tool-registry", record), 201);
      mcp[uuid] = { enabled: true, ...toggles };
      const toolsConfig = JSON.stringify({ mcp });
      await test.call("PUT", `/workspaces/${workspaceUuid}`, {
        name: "w",
        toolsConfig,
        approvalConfig,
      });
      return uuid as string;
    },
    offered: (request = 0) =>
      (model.requests[request]?.tools ?? [])
        .map(({ name }) => name)
        .filter((name) => name.startsWith("mcp_")),
  });
}
