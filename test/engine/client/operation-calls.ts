import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { EngineClient, Operations } from "../../../engine/client/client.ts";
import { closeServer, listenOnLoopback } from "../../support/fake-server.ts";

/** What the calls share: a client, the addresses around it, and the ids of what was created so far. */
interface CallHarness {
  client: EngineClient;
  /** A folder with `a.txt` and `a.png`. */
  directory: string;
  /** A model provider and a server of MCP, each with an answer for one call. */
  modelUrl: string;
  mcpUrl: string;
  uuids: Record<"workspace" | "thread" | "fork" | "tool" | "turn" | "clientKey", string>;
  modelId: string;
}

type Call = (harness: CallHarness) => Promise<unknown>;

/**
 * A successful call of each operation, in the order in which they are made: what one creates the next ones use, and deletes come
 * last. Every answer is held against the document, so a call looks only at what the others need.
 */
export const CALLS: Readonly<Record<keyof Operations, Call>> = {
  getHealth: ({ client }) => client.system.getHealth(),
  getDocument: ({ client }) => client.system.getDocument(),
  runAgui: ({ client }) => client.system.runAgui(),
  getStatus: ({ client }) => client.status.get({ findings: "true" }),
  createConsoleLink: ({ client }) => client.console.createLink(),

  getAccountServer: ({ client }) => client.account.getServer(),
  sendAccountSignupCode: ({ client }) => client.account.sendSignupCode({ email: "a@example.com" }),
  completeAccountSignup: ({ client }) =>
    client.account.completeSignup({ email: "a@example.com", code: "1", password: "p" }),
  logoutAccount: ({ client }) => client.account.logout(),
  loginAccount: ({ client }) => client.account.login({ email: "a@example.com", password: "p" }),
  adoptAccountSession: ({ client }) => client.account.adoptSession({ refreshToken: "r" }),
  getAccountSession: ({ client }) => client.account.getSession(),

  createWorkspace: async ({ client, directory, uuids }) => {
    const input = { name: "w", directories: [directory] };
    uuids.workspace = (await client.workspaces.create(input)).uuid;
  },
  listWorkspaces: ({ client }) => client.workspaces.list(),
  getWorkspace: ({ client, uuids }) => client.workspaces.get(uuids.workspace),
  updateWorkspace: ({ client, directory, uuids }) =>
    client.workspaces.update(uuids.workspace, { name: "x", directories: [directory] }),
  updateWorkspacePolicy: ({ client, uuids }) =>
    client.workspaces.updatePolicy(uuids.workspace, { skillsConfig: { skills: [] } }),
  getWorkspacePolicy: ({ client, uuids }) => client.workspaces.getPolicy(uuids.workspace),

  updateWorkspaceInstructions: ({ client, uuids }) =>
    client.workspaces.updateInstructions(uuids.workspace, {
      text: "Briefly.",
      useAgentsFile: true,
    }),
  getWorkspaceInstructions: ({ client, uuids }) =>
    client.workspaces.getInstructions(uuids.workspace),

  createThread: async ({ client, uuids }) => {
    uuids.thread = (await client.threads.create({ workspaceUuid: uuids.workspace })).uuid;
  },
  listThreads: ({ client, uuids }) => client.threads.list(uuids.workspace, { limit: 1 }),
  getThread: ({ client, uuids }) => client.threads.get(uuids.thread),
  updateThread: ({ client, uuids }) => client.threads.update(uuids.thread, { title: "t" }),
  updateThreadPolicy: ({ client, uuids }) =>
    client.threads.updatePolicy(uuids.thread, { skillsConfig: null }),
  getThreadPolicy: ({ client, uuids }) => client.threads.getPolicy(uuids.thread),
  // A stream gives its first bytes with its first event.
  streamEvents: ({ client, uuids }) =>
    firstOf(client.realtime.streamEvents(), () =>
      client.threads.create({ workspaceUuid: uuids.workspace }),
    ),
  streamChanges: ({ client }) => firstOf(client.realtime.streamChanges({ after: "1-1" })),
  openEvents: async ({ client }) => (await client.realtime.openEvents()).close(),

  createMessage: ({ client, uuids }) =>
    client.messages.create({ threadUuid: uuids.thread, role: "user", content: "zebra" }),
  listMessages: ({ client, uuids }) => client.messages.list(uuids.thread),
  compactThread: async ({ client, uuids }) => {
    for (const content of ["one", "two"]) {
      await client.messages.create({ threadUuid: uuids.thread, role: "user", content });
    }
    await client.threads.compact(uuids.thread);
  },
  getThreadSummary: ({ client, uuids }) => client.threads.getSummary(uuids.thread),
  deleteThreadSummary: ({ client, uuids }) => client.threads.deleteSummary(uuids.thread),
  forkThread: async ({ client, uuids }) => {
    uuids.fork = (await client.threads.fork(uuids.thread)).uuid;
  },
  listForks: ({ client, uuids }) => client.threads.listForks(uuids.thread),
  getOrigin: ({ client, uuids }) => client.threads.getOrigin(uuids.fork),
  searchMessages: ({ client }) => client.search.searchMessages({ query: "zebra" }),
  searchMessagesByBody: ({ client }) => client.search.searchMessagesByBody({ query: "zebra" }),

  listLocalFolders: ({ client, directory }) => client.files.listLocalFolders({ path: directory }),
  searchFiles: ({ client, uuids }) => client.files.search(uuids.workspace, { q: "a" }),
  listFiles: ({ client, uuids }) => client.files.list(uuids.workspace, { rootIndex: 0 }),
  getFile: ({ client, uuids }) => client.files.get(uuids.workspace, at("a.txt")),
  previewFile: ({ client, uuids }) => client.files.preview(uuids.workspace, at("a.png")),
  createFile: ({ client, uuids }) =>
    client.files.create(uuids.workspace, { ...at("b.txt"), content: "b" }),
  updateFile: ({ client, uuids }) =>
    client.files.update(uuids.workspace, { ...at("b.txt"), content: "c" }),
  createDirectory: ({ client, uuids }) => client.files.createDirectory(uuids.workspace, at("d")),
  moveFile: ({ client, uuids }) => {
    const source = { sourceRootIndex: 0, sourcePath: "b.txt" };
    const destination = { destinationRootIndex: 0, destinationPath: "d" };
    return client.files.move(uuids.workspace, { ...source, ...destination });
  },

  updateSettings: ({ client }) => client.settings.update([{ key: "theme", value: "dark" }]),
  listSettings: ({ client }) => client.settings.list(),

  createModelConfiguration: async (harness) => {
    const input = { provider: "openai-compatible", model: "m", baseUrl: harness.modelUrl };
    harness.modelId = (await harness.client.models.createConfiguration(input)).id;
  },
  listModelConfigurations: ({ client }) => client.models.listConfigurations(),
  testModelConfiguration: async ({ client, modelId }) => {
    const { error } = await client.models.testConfiguration(modelId);
    assert.equal(error, null);
  },
  updateModelConfiguration: ({ client, modelId, modelUrl }) =>
    client.models.updateConfiguration(modelId, {
      provider: "openai-compatible",
      model: "n",
      baseUrl: modelUrl,
    }),
  updateModelConfigurationHeaders: ({ client, modelId }) =>
    client.models.updateConfigurationHeaders(modelId, { headers: { "X-Key": "k" } }),
  getModelConfigurationContext: ({ client, modelId }) =>
    client.models.getConfigurationContext(modelId),
  getModelConfigurationParameters: ({ client, modelId }) =>
    client.models.getConfigurationParameters(modelId),
  updateModelConfigurationParameters: ({ client, modelId }) =>
    client.models.updateConfigurationParameters(modelId, {
      temperature: 0.5,
      topP: null,
      maxOutputTokens: null,
    }),
  listProviders: ({ client }) => client.models.listProviders(),
  discoverModels: ({ client }) => client.models.discover(),
  listOfferedModels: async ({ client }) => {
    const server = createServer((_, response) => response.end('{"data":[{"id":"m"}]}'));
    const baseUrl = await listenOnLoopback(server);
    await client.models.listOffered({ provider: "openai-compatible", baseUrl });
    await closeServer(server);
  },
  listModels: ({ client }) => client.models.list(),

  createTool: async ({ client, mcpUrl, uuids }) => {
    const input = { name: "m", toolType: "mcp", endpointUrl: mcpUrl } as const;
    uuids.tool = (await client.tools.create(input)).uuid;
  },
  getToolCatalog: ({ client }) => client.tools.getCatalog(),
  listTools: ({ client }) => client.tools.list(),
  getTool: ({ client, uuids }) => client.tools.get(uuids.tool),
  updateTool: ({ client, mcpUrl, uuids }) =>
    client.tools.update(uuids.tool, { name: "n", endpointUrl: mcpUrl }),
  testMcpServer: async ({ client, uuids }) => {
    const { error } = await client.mcp.testServer(uuids.tool);
    assert.equal(error, null);
  },
  listMcpTools: ({ client, uuids }) => client.mcp.listTools(uuids.workspace),

  indexRoot: ({ client, uuids }) => client.retrieval.indexRoot(uuids.workspace, 0),
  indexWorkspace: ({ client, uuids }) => client.retrieval.indexWorkspace(uuids.workspace),
  cancelIndexing: ({ client, uuids }) => client.retrieval.cancelIndexing(uuids.workspace),
  searchWorkspace: async ({ client, uuids }) => {
    const results = await client.retrieval.searchWorkspace(uuids.workspace, { query: "zebra" });
    assert.ok(results.length > 0);
  },
  listIndexingFailures: ({ client, uuids }) =>
    client.retrieval.listIndexingFailures(uuids.workspace, { rootIndex: 0 }),
  getRetrievalStatus: ({ client, uuids }) => client.retrieval.getStatus(uuids.workspace),

  // The model asks for a tool that needs an approval, and says something after it.
  startThreadTurn: async ({ client, uuids }) => {
    uuids.turn = (
      await client.turns.startThread(uuids.thread, {
        content: "go",
        fileContext: { attachments: [{ name: "a.txt", data: "YQ==" }] },
      })
    ).uuid;
    for await (const { event } of client.turns.streamEvents(uuids.turn)) {
      if (event === "approval") return;
    }
    assert.fail("The turn asked for no approval.");
  },
  getTurn: ({ client, uuids }) => client.turns.get(uuids.turn),
  getTurnContext: ({ client, uuids }) => client.turns.getContext(uuids.turn),
  listTurnSources: ({ client, uuids }) => client.turns.listSources(uuids.turn),
  listApprovals: ({ client }) => client.turns.listApprovals(),
  getApproval: async ({ client }) => {
    const [approval] = await client.turns.listApprovals();
    return client.turns.getApproval(approval?.uuid ?? "");
  },
  decideApproval: async ({ client }) => {
    const [approval] = await client.turns.listApprovals();
    return client.turns.decideApproval(approval?.uuid ?? "", {
      decision: "approve",
      remember: { scope: "thread", match: "tool" },
    });
  },
  listApprovalGrants: ({ client, uuids }) =>
    client.turns.listApprovalGrants({ threadUuid: uuids.thread }),
  deleteApprovalGrant: async ({ client }) => {
    const [grant] = await client.turns.listApprovalGrants();
    return client.turns.deleteApprovalGrant(grant?.uuid ?? "");
  },
  streamTurnEvents: async ({ client, uuids }) => {
    const events = await Array.fromAsync(client.turns.streamEvents(uuids.turn));
    assert.equal(events.at(-1)?.event, "end");
  },
  listMessageAttachments: async ({ client, uuids }) => {
    const { userMessageUuid } = await client.turns.get(uuids.turn);
    const [attachment] = await client.messages.listAttachments(userMessageUuid);
    assert.equal(attachment?.name, "a.txt");
  },
  getMessageAttachment: async ({ client, uuids }) => {
    const { userMessageUuid } = await client.turns.get(uuids.turn);
    const bytes = await client.messages.getAttachment(userMessageUuid, "0");
    assert.equal(await bytes.text(), "a");
  },
  startWorkspaceTurn: async ({ client, uuids }) => {
    uuids.turn = (await client.turns.startWorkspace(uuids.workspace, { content: "go" })).uuid;
    // It never ends by itself.
    for await (const { event } of client.turns.streamEvents(uuids.turn)) {
      if (event === "model.delta") return;
    }
    assert.fail("The turn said nothing.");
  },
  cancelTurn: ({ client, uuids }) => client.turns.cancel(uuids.turn),
  createThreadTitle: async ({ client, uuids }) => {
    await client.threads.update(uuids.thread, { title: null });
    await client.threads.createTitle(uuids.thread);
  },
  getTurnReasoning: ({ client, uuids }) => client.turns.getReasoning(uuids.turn),
  listThreadTurns: ({ client, uuids }) => client.turns.listThread(uuids.thread),
  listTurns: ({ client }) => client.turns.list(),
  createClientKey: async ({ client, uuids }) => {
    uuids.clientKey = (await client.clientKeys.create({ name: "n", scopes: ["models"] })).uuid;
  },
  listClientKeys: ({ client }) => client.clientKeys.list(),
  deleteClientKey: ({ client, uuids }) => client.clientKeys.delete(uuids.clientKey),
  getUsage: ({ client }) => client.turns.getUsage({ groupBy: "model" }),

  deleteTool: ({ client, uuids }) => client.tools.delete(uuids.tool),
  deleteModelConfiguration: ({ client, modelId }) => client.models.deleteConfiguration(modelId),
  deleteThread: ({ client, uuids }) => client.threads.delete(uuids.thread),
  deleteWorkspace: ({ client, uuids }) => client.workspaces.delete(uuids.workspace),
};

const at = (path: string) => ({ rootIndex: 0, path });

/** Reads a stream up to its first event, which `cause` causes. */
async function firstOf(
  stream: AsyncIterable<unknown>,
  cause: () => Promise<unknown> = async () => undefined,
) {
  const events = stream[Symbol.asyncIterator]();
  const first = events.next();
  await cause();
  assert.equal((await first).done, false);
  await events.return?.();
}
