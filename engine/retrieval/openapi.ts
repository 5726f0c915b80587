import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `retrieval/`. */
export const retrievalTexts: SliceTexts = {
  tag: "retrieval",
  about: "Search in the contents of the roots of a workspace, and the indexes that it needs.",
  operations: {
    "POST /workspaces/{uuid}/rag/index": {
      id: "indexWorkspace",
      summary: "Index every enabled root of a workspace",
      about: "Answers when the run is over; it continues where the client disconnects.",
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/rag/roots/{root_index}/index": {
      id: "indexRoot",
      summary: "Index one root of a workspace",
      about: "Answers when the run is over; it continues where the client disconnects.",
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/rag/cancel": {
      id: "cancelIndexing",
      summary: "End the index runs of a workspace",
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/rag/search": {
      id: "searchWorkspace",
      summary: "Search the indexed roots of a workspace",
    },
    "GET /workspaces/{uuid}/rag/status": {
      id: "getRetrievalStatus",
      summary: "Get what is indexed of each root, and what an index run does now",
    },
  },
};
