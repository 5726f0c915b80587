import type { ProgramTexts } from "../shared/http/openapi-texts.ts";
import { accountTexts } from "./account/openapi.ts";
import { consoleTexts } from "./console/openapi.ts";
import { fileTexts } from "./files/openapi.ts";
import { mcpTexts } from "./mcp/openapi.ts";
import { messageTexts } from "./messages/openapi.ts";
import { modelTexts } from "./models/openapi.ts";
import { policySchemas } from "./policies/openapi.ts";
import { realtimeTexts } from "./realtime/openapi.ts";
import { retrievalTexts } from "./retrieval/openapi.ts";
import { searchTexts } from "./search/openapi.ts";
import { settingTexts } from "./settings/openapi.ts";
import { statusTexts } from "./status/openapi.ts";
import { systemTexts } from "./system/openapi.ts";
import { threadTexts } from "./threads/openapi.ts";
import { toolTexts } from "./tools/openapi.ts";
import { turnTexts } from "./turns/openapi.ts";
import { workspaceTexts } from "./workspaces/openapi.ts";

/** The texts of the engine's OpenAPI document. A new slice adds its own here. */
export const engineTexts: ProgramTexts = {
  title: "Roundhouse engine",
  about:
    "The local engine: workspaces, threads, messages, files, settings, models, tools and retrieval. " +
    "Realtime is at `GET /stream` and `WS /events`; the frames have a JSON Schema of their own.",
  prefix: "/api/v1",
  server: "http://127.0.0.1:7717",
  bearer: {
    type: "http",
    scheme: "bearer",
    description: "The `token` of `runtime.json` in the engine's data directory.",
  },
  slices: [
    systemTexts,
    accountTexts,
    workspaceTexts,
    threadTexts,
    messageTexts,
    searchTexts,
    fileTexts,
    settingTexts,
    modelTexts,
    retrievalTexts,
    toolTexts,
    mcpTexts,
    turnTexts,
    realtimeTexts,
    statusTexts,
    consoleTexts,
  ],
  parameters: {
    uuid: "The uuid of what the path names.",
    id: "The id of the model configuration.",
    rootIndex: "The position of the root in `directories` of the workspace, from 0.",
    root_index: "The position of the root in `directories` of the workspace, from 0.",
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
  components: { ...policySchemas },
};
