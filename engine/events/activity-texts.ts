import type { SchemaText } from "../../shared/http/openapi-texts.ts";

const THREAD = "The uuid of the thread.";
const TYPE = "What happens in the graph.";
const RUN = "The id of the run; one turn is one run.";
const NODE = "The name of the node: `model` or `tools`.";

/** What the documents say of the activity in the graph of a turn. */
export const activityTexts: Readonly<Record<string, SchemaText>> = {
  GraphActivity: { about: "What happens in the graph of a turn; `type` says which." },
  RunStartedActivity: {
    about: "The turn began.",
    fields: { thread_uuid: THREAD, type: TYPE, run_id: RUN, graph_id: "The name of the graph." },
  },
  NodeStartedActivity: {
    about: "A node of the graph began.",
    fields: { thread_uuid: THREAD, type: TYPE, node_id: NODE },
  },
  ModelDeltaActivity: {
    about: "The next piece of the text.",
    fields: {
      thread_uuid: THREAD,
      type: TYPE,
      node_id: NODE,
      delta: "The next piece of the text.",
    },
  },
  NodeCompletedActivity: {
    about: "A node of the graph ended.",
    fields: { thread_uuid: THREAD, type: TYPE, node_id: NODE },
  },
  RunCompletedActivity: {
    about: "The model has answered; the answer is stored next.",
    fields: { thread_uuid: THREAD, type: TYPE, run_id: RUN },
  },
  RunAbortedActivity: {
    about: "The turn was cancelled.",
    fields: { thread_uuid: THREAD, type: TYPE, run_id: RUN },
  },
  RunFailedActivity: {
    about: "The turn failed.",
    fields: {
      thread_uuid: THREAD,
      type: TYPE,
      run_id: RUN,
      error: "Why the run failed, as a sentence.",
    },
  },
};
