import type { SliceTexts } from "../../shared/http/openapi-texts.ts";

/** What the OpenAPI document says of `retrieval/`. */
export const retrievalTexts: SliceTexts = {
  tag: "retrieval",
  about: "Search in the files of a workspace, and the indexes for it.",
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
      about:
        "Files that were indexed so far stay indexed. The requests that began these runs get 409.",
      ignoresBody: true,
    },
    "POST /workspaces/{uuid}/rag/search": {
      id: "searchWorkspace",
      summary: "Search the indexed roots of a workspace",
      about: "The best match comes first. Only the path of a sensitive file is searched.",
    },
    "GET /workspaces/{uuid}/rag/status": {
      id: "getRetrievalStatus",
      summary: "Get the state of the index of each root, and of its index run",
      about: "A client may poll it once a second during a run.",
    },
    "GET /workspaces/{uuid}/rag/failures": {
      id: "listIndexingFailures",
      summary: "List what could not be read of a root",
      about:
        "The first 500 files and folders by path, each with its reason. They stay listed until a run can read them, or they are gone.",
      parameters: { rootIndex: "The position of the root in `directories`, from 0." },
    },
  },
  schemas: {
    RagFailure: {
      about: "A file or folder that could not be read.",
      fields: {
        path: "The path, relative to the root; that of a folder ends in `/`.",
        reason: "Why it could not be read, as a sentence.",
      },
    },
    RagSearch: {
      about: "A search.",
      fields: {
        query: "What to search for; not empty, and cut at 8,000 characters.",
        mode: "How to search: by words, by meaning, or by both; by default `hybrid`.",
        limit: "The number of results at most: 1 to 50, by default 8.",
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
        score:
          "How well it matches; higher is better. Scores of different responses cannot be compared.",
        result_type: "Always `chunk`.",
        rootIndex: "The position of the root in `directories`, from 0.",
        keyword_score: "The score of the words, where they were searched.",
        vector_score: "The score of the meaning, where it was searched.",
        sensitive: "True where the file is withheld, else absent.",
        metadata_only: "True where only the path is shown, else absent.",
      },
    },
    RagRootIndex: {
      about: "The outcome of an index run in one root.",
      fields: {
        rootIndex: "The position of the root in `directories`, from 0.",
        indexed: "Files that were indexed.",
        unchanged: "Files that were indexed before and did not change.",
        skipped: "Files that are not indexed, by type or size.",
        errors: "Files that could not be read.",
        removed: "Files that were removed from the index.",
      },
    },
    RagWorkspaceIndex: {
      about: "The outcome of an index run.",
      fields: {
        roots: "One entry for each enabled root.",
      },
    },
    RagCancelled: {
      about: "The index runs that end.",
      fields: {
        cancelled: "The number of runs; 0 where none was running.",
      },
    },
    RagStatus: {
      about: "The state of the indexes of a workspace.",
      fields: {
        roots: "One entry for each root, in the order of `directories`.",
      },
    },
    RagRootStatus: {
      about: "The state of the index of one root.",
      fields: {
        rootIndex: "The position of the root in `directories`, from 0.",
        enabled: "Whether `ragConfig` leaves the root enabled.",
        searchable: "Whether a search uses the index.",
        problem: "Why the root cannot be used, as a sentence; null where it can.",
        documents: "How many documents the index has.",
        chunks: "How many pieces the index has.",
        running: "The current index run; null where there is none.",
        "running.phase": "The step of the run.",
        "running.done": "How many files or pieces are done.",
        "running.total": "How many there are; null until that is known.",
        failedFiles: "How many files and folders could not be read; `rag/failures` lists them.",
        watching: "Whether the index follows the files of the root as they change.",
        watchProblem:
          "Why it does not follow them at once, although `ragConfig` says `watch`: a root that cannot be watched is walked every 5 minutes; else null.",
        lastIndexedAt: "When the last complete index run ended; null before the first one.",
        progress: "The share of the index run that is on; null where none is.",
        "progress.phase": "What the run does now; `counting` comes first and is quick.",
        "progress.filesDone": "How many files are done.",
        "progress.filesTotal": "How many files the root has; null until they are counted.",
      },
    },
  },
};
