import type { ProgramDocument } from "../shared/http/program-document.ts";
import { policySchemas } from "./policies/openapi.ts";

/** What the engine's OpenAPI document says beside its routes. */
export const engineDocument: ProgramDocument = {
  title: "Roundhouse engine",
  description:
    "The local engine: workspaces, threads, messages, files, settings, models, tools and retrieval. " +
    "Realtime is at `GET /stream` and `WS /events`; the frames have a JSON Schema of their own.",
  prefix: "/api/v1",
  server: "http://127.0.0.1:7717",
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The `token` of `runtime.json` in the engine's data directory.",
  },
  tags: {
    system: "The health of the engine, and its document.",
    account: "The user's account at the account server, whose session the engine keeps.",
    workspaces: "Workspaces: folders of the user, and what a chat in them may do.",
    threads: "Threads: the conversations of a workspace.",
    messages: "The messages of threads.",
    search: "Search over the messages of all threads.",
    files: "Files and folders below the roots of a workspace. Paths never leave their root.",
    settings: "Settings: values of clients, each with a key and a scope.",
    models: "Model configurations, their credentials, and the models to choose from.",
    retrieval: "Search in the files of a workspace, and the indexes for it.",
    tools: "The built-in tools, and the registry of configured ones.",
    mcp: "Tools of servers that speak the Model Context Protocol.",
    clientKeys: "Keys of other programs for the OpenAI-compatible interface at `/openai/v1`.",
    turns: "Turns: a user message, the model's answer to it, and the record of both.",
    realtime: "Event streams and the WebSocket.",
    status: "What the engine does now, and what is wrong with it.",
    console: "The console of the engine, a page for browsers at `/console/`.",
  },
  responses: [
    {
      status: 401,
      about: "The bearer token is missing or wrong",
      appliesTo: ({ needsBearer }) => needsBearer,
    },
    { status: 403, about: "The Host or the Origin header is not allowed", appliesTo: () => true },
    {
      status: 413,
      about: "The body is larger than 16 MiB",
      appliesTo: ({ hasJsonBody }) => hasJsonBody,
    },
  ],
  components: policySchemas,
};
