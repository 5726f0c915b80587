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
      about: "What was indexed so far stays. Each run that ends answers 409 to its client.",
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/rag/search": {
      id: "searchWorkspace",
      summary: "Search the indexed roots of a workspace",
      about: "Best first. Sensitive files are found by their path alone.",
    },
    "GET /workspaces/{uuid}/rag/status": {
      id: "getRetrievalStatus",
      summary: "Get what is indexed of each root, and what an index run does now",
      about: "Cheap enough to ask once a second while a run is on.",
    },
  },
  schemas: {
    RagSearch: {
      about: "What to search for.",
      fields: {
        query: "What to search for; not empty, and cut at 8,000 characters.",
        mode: "How to search: by words, by meaning, or by both; by default `hybrid`.",
        limit: "How many results at most: 1 to 50, by default 8.",
        skipUnavailableRoots:
          "Whether roots that cannot be used are left out instead of failing the search; by default false.",
      },
    },
    RagResult: {
      about: "A piece of a document that was found.",
      fields: {
        chunk_id: "The number of the piece in the index of its root.",
        document_id: "The number of the document in the index of its root.",
        path: "The path of the document, relative to its root.",
        document_path: "The same value as `path`.",
        ordinal: "The position of the piece in its document, from 0.",
        content:
          "The text. For a sensitive file: a sentence that says that its content is not indexed.",
        start_line: "The first line, from 1; null where the document has no lines.",
        end_line: "The last line; null where the document has no lines.",
        token_estimate: "About how many tokens the text has; null where that is not known.",
        status: "`indexed`, or `metadata_only` for a sensitive file.",
        score: "How well it fits; more is better, and comparable within one answer only.",
        result_type: "Always `chunk`.",
        rootIndex: "The position of the root in `directories`, from 0.",
        keyword_score: "The score of the words, where they were searched.",
        vector_score: "The score of the meaning, where it was searched.",
        sensitive: "True where the file is withheld, else absent.",
        metadata_only: "True where only the path is shown, else absent.",
      },
    },
    RagRootIndex: {
      about: "What an index run did in one root.",
      fields: {
        rootIndex: "The position of the root in `directories`, from 0.",
        indexed: "Files that were indexed.",
        unchanged: "Files that were indexed before and did not change.",
        skipped: "Files that are not indexed, by type or size.",
        errors: "Files that could not be read.",
        removed: "Files that are gone from the index.",
      },
    },
    RagWorkspaceIndex: {
      about: "What an index run did.",
      fields: {
        roots: "One entry for each enabled root.",
      },
    },
    RagCancelled: {
      about: "How many index runs end.",
      fields: {
        cancelled: "The number of runs; 0 where none was on.",
      },
    },
    RagStatus: {
      about: "What is indexed of a workspace.",
      fields: {
        roots: "One entry for each root, in the order of `directories`.",
      },
    },
    RagRootStatus: {
      about: "What is indexed of one root.",
      fields: {
        rootIndex: "The position of the root in `directories`, from 0.",
        enabled: "Whether `ragConfig` leaves the root enabled.",
        searchable: "Whether a search uses the index.",
        problem: "Why the root cannot be used, as a sentence; null where it can.",
        documents: "How many documents the index has.",
        chunks: "How many pieces the index has.",
        running: "The index run that is on; null where none is.",
        "running.phase": "What the run does now.",
        "running.done": "How many files or pieces are done.",
        "running.total": "How many there are; null until that is known.",
      },
    },
  },
};
