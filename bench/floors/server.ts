// The floor of requests: written by hand on node:http, ws and prepared better-sqlite3 statements, for the same work and
// the same durability, without a framework, a schema or a query builder. Prints its port once it listens.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "better-sqlite3";
import { type WebSocket, WebSocketServer } from "ws";

const [, , path = ":memory:", token = ""] = process.argv;
const db = new Database(path);
for (const pragma of ["journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"]) db.pragma(pragma);
db.exec(`
  CREATE TABLE threads (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE, workspace_uuid TEXT NOT NULL,
    title TEXT, description TEXT, default_model_id TEXT, tools_config TEXT, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT;
  CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, uuid TEXT NOT NULL UNIQUE,
    thread_id INTEGER NOT NULL REFERENCES threads(id) ON DELETE CASCADE,
    role TEXT NOT NULL, content TEXT NOT NULL, created_at TEXT NOT NULL) STRICT;
  CREATE INDEX threads_workspace ON threads (workspace_uuid, updated_at);
  CREATE INDEX messages_thread ON messages (thread_id, created_at, id);
`);
const statements = {
  thread: db.prepare<[string], Record<string, unknown>>(
    `SELECT id, uuid, workspace_uuid AS workspaceUuid, title, description, default_model_id AS defaultModelId,
      tools_config AS toolsConfig, created_at AS createdAt, updated_at AS updatedAt FROM threads WHERE uuid = ?`,
  ),
  threads: db.prepare<[string]>(
    `SELECT id, uuid, workspace_uuid AS workspaceUuid, title, description, default_model_id AS defaultModelId,
      tools_config AS toolsConfig, created_at AS createdAt, updated_at AS updatedAt FROM threads
     WHERE workspace_uuid = ? ORDER BY updated_at DESC, id DESC`,
  ),
  messages: db.prepare<[string]>(
    `SELECT messages.uuid, threads.uuid AS threadUuid, role, content, messages.created_at AS createdAt
     FROM messages JOIN threads ON threads.id = thread_id WHERE threads.uuid = ? ORDER BY messages.created_at, messages.id`,
  ),
  addThread: db.prepare(
    "INSERT INTO threads (uuid, workspace_uuid, created_at, updated_at) VALUES (?, 'w', ?, ?)",
  ),
  addMessage: db.prepare(
    "INSERT INTO messages (uuid, thread_id, role, content, created_at) VALUES (?, ?, ?, ?, ?)",
  ),
  touch: db.prepare("UPDATE threads SET updated_at = ? WHERE id = ?"),
};
const streams = new Set<ServerResponse>();

const append = db.transaction((uuid: string, threadId: unknown, role: string, content: string) => {
  const now = new Date().toISOString();
  statements.addMessage.run(uuid, threadId, role, content, now);
  statements.touch.run(now, threadId);
  return now;
});

function addMessage(threadUuid: string, role: string, content: string): object | undefined {
  const thread = statements.thread.get(threadUuid);
  if (!thread) return undefined;
  const uuid = randomUUID();
  const createdAt = append(uuid, thread.id, role, content);
  if (streams.size > 0) {
    const data = { messageId: uuid, threadId: threadUuid, role, content };
    const event = `data: ${JSON.stringify({ type: "message.created", timestamp: createdAt, data })}\n\n`;
    for (const stream of streams) stream.write(event);
  }
  return { uuid, threadUuid, role, content, createdAt };
}

function answer(response: ServerResponse, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

function readBody(request: IncomingMessage, done: (text: string) => void): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => done(Buffer.concat(chunks).toString("utf8")));
}

function addThread(response: ServerResponse): void {
  const uuid = randomUUID();
  const now = new Date().toISOString();
  statements.addThread.run(uuid, now, now);
  answer(response, statements.thread.get(uuid));
}

const server = createServer((request, response) => {
  if (request.headers.authorization !== `Bearer ${token}`) {
    response.writeHead(401).end();
    return;
  }
  const [, , , kind, uuid = "", part] = request.url?.split("/") ?? [];
  if (request.method === "POST" && kind === "threads") return addThread(response);
  if (request.method === "POST") {
    return readBody(request, (text) => {
      const { threadUuid, role, content } = JSON.parse(text);
      if (typeof content !== "string" || typeof role !== "string") response.writeHead(400).end();
      else answer(response, addMessage(threadUuid, role, content));
    });
  }
  if (kind === "stream") {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
    response.flushHeaders();
    streams.add(response);
    response.on("close", () => streams.delete(response));
    return;
  }
  if (part === "threads") return answer(response, statements.threads.all(uuid));
  answer(
    response,
    part === "messages" ? statements.messages.all(uuid) : statements.thread.get(uuid),
  );
});

// An echo turn: the user's row, the frames of a graph, the assistant's row.
function echo(socket: WebSocket, text: string): void {
  const { id, data } = JSON.parse(text);
  const send = (type: string, rest: object) =>
    socket.send(
      JSON.stringify({ v: 1, type, id, data: { thread_uuid: data.thread_uuid, ...rest } }),
    );
  addMessage(data.thread_uuid, "user", data.content);
  const graph = [
    { type: "run.started", run_id: id, graph_id: "chat" },
    { type: "node.started", node_id: "model" },
    { type: "model.delta", node_id: "model", delta: data.content },
    { type: "node.completed", node_id: "model" },
    { type: "run.completed", run_id: id },
  ];
  for (const event of graph) send("agui.event", event);
  addMessage(data.thread_uuid, "assistant", data.content);
  send("chat.delta", { delta: data.content });
  send("chat.done", {});
}

const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.on("message", (data) => echo(socket, String(data)));
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
