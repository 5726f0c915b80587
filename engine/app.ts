import { OpenAPIHono } from "@hono/zod-openapi";
import { accountRoutes } from "./account/routes.ts";
import { type ChatPorts, chatPorts } from "./chat/ports.ts";
import { ClientCalls } from "./client-keys/client-calls.ts";
import { clientKeyRoutes } from "./client-keys/routes.ts";
import { createConsole } from "./console/console.ts";
import { ConsoleLinks } from "./console/links.ts";
import { consoleRoutes } from "./console/routes.ts";
import { DeletedRows } from "./db/deleted-rows.ts";
import type { EngineDeps } from "./deps.ts";
import { fileRoutes } from "./files/routes.ts";
import { Forks } from "./forks/forks.ts";
import { forkRoutes } from "./forks/routes.ts";
import { grantRoutes } from "./grants/routes.ts";
import type { Connection } from "./http/own-account.ts";
import { API_PREFIX, createPipeline } from "./http/pipeline.ts";
import { McpServers } from "./mcp/mcp-servers.ts";
import { mcpRoutes } from "./mcp/routes.ts";
import { AttachmentFiles } from "./messages/attachment-files.ts";
import { attachmentRoutes } from "./messages/attachment-routes.ts";
import { messageRoutes } from "./messages/routes.ts";
import { modelRoutes } from "./models/routes.ts";
import { createDoor } from "./openai/door-routes.ts";
import { EventStreams } from "./realtime/event-streams.ts";
import { realtimeRoutes } from "./realtime/routes.ts";
import { broadcast, type Socket, SocketSession } from "./realtime/session.ts";
import { retrievalRoutes } from "./retrieval/routes.ts";
import type { OpenWatcher } from "./retrieval/watch/thread-watcher.ts";
import { WatchedRoots } from "./retrieval/watch/watched-roots.ts";
import { MessageIndex } from "./search/message-index.ts";
import { searchRoutes } from "./search/routes.ts";
import { settingRoutes } from "./settings/routes.ts";
import { statusRoutes } from "./status/routes.ts";
import { systemRoutes } from "./system/routes.ts";
import { threadRoutes } from "./threads/routes.ts";
import { toolRoutes } from "./tools/routes.ts";
import { ActiveTurns } from "./turns/active-turns.ts";
import { turnEventRoutes } from "./turns/event-routes.ts";
import { turnRoutes, usageRoutes } from "./turns/routes.ts";
import { summaryRoutes, titleRoutes } from "./turns/summary-routes.ts";
import { workspaceRoutes } from "./workspaces/routes.ts";

/** The engine as a request handler; `main.ts` gives it a port. */
export interface Engine {
  /** The routes as they are declared; the OpenAPI document is made of them. */
  readonly api: OpenAPIHono;
  /** Guard, bearer and routes in one. `incoming` is what Node received; a request of this process has none. Never throws. */
  fetch(request: Request, incoming?: { socket: Connection }): Response | Promise<Response>;
  /** Serves a connection that passed the guard and the bearer. */
  openSocket(socket: Socket): SocketSession;
  /** Continues the work of an earlier process: removing deleted rows, indexing messages and watched roots. */
  resume(): void;
  /** Ends turns, sockets, streams and background work. Resolves when all have ended. */
  close(): Promise<void>;
}

/** Parts of the engine that a test replaces. */
export interface EngineParts {
  /** Where turns get their models and tools. */
  chat?: ChatPorts;
  /** What watches folders. */
  openWatcher?: OpenWatcher;
}

export function createEngine(
  deps: EngineDeps,
  { chat = chatPorts, openWatcher }: EngineParts = {},
): Engine {
  const api = new OpenAPIHono();
  const mcp = new McpServers(deps);
  const attachments = new AttachmentFiles(deps);
  const deletedRows = new DeletedRows({ ...deps, removeFiles: () => attachments.removeUnused() });
  deps.changes.subscribe(({ type }) => {
    if (type === "thread.deleted" || type === "workspace.deleted") deletedRows.wake();
  });
  const messageIndex = new MessageIndex(deps);
  const forks = new Forks({ ...deps, deletedRows, onCopied: () => messageIndex.wake() });
  const chatDeps = { ...deps, chat, mcp, attachments, forks };
  const sessions = new Set<SocketSession>();
  const turns = new ActiveTurns(chatDeps, (frame) => broadcast(sessions, frame));
  const streams = new EventStreams(deps.events);
  const links = new ConsoleLinks(deps.clock);
  const watchedRoots = new WatchedRoots(deps, openWatcher);
  const clientCalls = new ClientCalls();
  let requests = 0;
  const counts = {
    requests: () => requests,
    sockets: () => sessions.size,
    eventStreams: () => streams.size + deps.changes.size,
  };
  for (const routes of [
    systemRoutes(),
    accountRoutes(deps),
    workspaceRoutes(deps),
    threadRoutes(deps),
    messageRoutes(deps),
    attachmentRoutes(deps, attachments),
    forkRoutes(deps, forks),
    fileRoutes(deps),
    settingRoutes(deps),
    modelRoutes(deps),
    retrievalRoutes(deps, watchedRoots),
    toolRoutes(deps),
    mcpRoutes(deps, mcp),
    searchRoutes(deps, messageIndex),
    turnRoutes(deps, turns),
    summaryRoutes(chatDeps, turns),
    turnEventRoutes(deps, turns),
    grantRoutes(deps),
    titleRoutes(chatDeps),
    usageRoutes(deps),
    clientKeyRoutes(deps, clientCalls, turns),
    realtimeRoutes(deps, streams),
    statusRoutes(deps, counts),
    consoleRoutes(deps, links),
  ])
    api.route(API_PREFIX, routes);
  const pipeline = createPipeline(deps, api, {
    pages: deps.config.console ? createConsole(deps, links) : undefined,
    door: deps.config.openai ? createDoor(deps, clientCalls, turns) : undefined,
  });
  return {
    api,
    fetch: (request, incoming) => {
      requests += 1;
      return pipeline(request, incoming?.socket);
    },
    openSocket: (socket) => new SocketSession(chatDeps, { socket, turns, sessions }),
    resume: () => {
      deletedRows.wake();
      messageIndex.wake();
      watchedRoots.start();
    },
    async close() {
      forks.stop();
      await turns.interrupt();
      await Promise.all([...sessions].map((session) => session.end()));
      // Behind the turns: the streams get their last events.
      streams.close();
      deps.changes.close();
      await turns.close();
      await deletedRows.stop();
      await messageIndex.stop();
      await watchedRoots.stop();
    },
  };
}
