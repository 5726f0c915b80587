/** Operations that change what the API shows, and the changes that they publish. */
export const MUTATIONS: Readonly<Record<string, readonly string[]>> = {
  "POST /workspaces": ["workspace.created"],
  "PUT /workspaces/{uuid}": ["workspace.updated"],
  "PUT /workspaces/{uuid}/policy": ["workspace.updated"],
  "PUT /workspaces/{uuid}/instructions": ["workspace.updated"],
  "POST /threads": ["thread.created"],
  "POST /threads/{uuid}/forks": ["thread.created"],
  "PUT /threads/{uuid}": ["thread.updated"],
  "PUT /threads/{uuid}/policy": ["thread.updated"],
  "POST /threads/{uuid}/compact": ["thread.updated"],
  "DELETE /threads/{uuid}/summary": ["thread.updated"],
  "POST /messages": ["message.created"],
  "PUT /settings": ["settings.updated"],
  "POST /model-configurations": ["model.created"],
  "PUT /model-configurations/{id}": ["model.updated"],
  "PUT /model-configurations/{id}/headers": ["model.updated"],
  "PUT /model-configurations/{id}/parameters": ["model.updated"],
  "DELETE /model-configurations/{id}": ["model.deleted"],
  "POST /tool-registry": ["tool.created"],
  "PUT /tool-registry/{uuid}": ["tool.updated"],
  "DELETE /tool-registry/{uuid}": ["tool.deleted"],
  "POST /workspaces/{uuid}/rag/index": ["rag.completed"],
  "POST /workspaces/{uuid}/rag/roots/{root_index}/index": ["rag.completed"],
  "POST /threads/{uuid}/turns": ["turn.updated", "message.created"],
  "POST /workspaces/{uuid}/turns": ["turn.updated", "thread.created", "message.created"],
  "DELETE /approval-grants/{uuid}": ["grant.deleted"],
  "POST /client-keys": ["clientKey.created"],
  "DELETE /client-keys/{uuid}": ["clientKey.deleted"],
  "DELETE /threads/{uuid}": ["thread.deleted"],
  "DELETE /workspaces/{uuid}": ["workspace.deleted"],
};

const ACCOUNT = "The account is no data of the engine; a client asks for its session.";
const FILES =
  "Files change outside of the engine as well; a client lists a folder when it shows it.";

/** Operations beside GET that publish no change, and why. */
export const WITHOUT_CHANGE: Readonly<Record<string, string>> = {
  "POST /agui": "A placeholder.",
  "POST /account/login": ACCOUNT,
  "POST /account/signup/code": ACCOUNT,
  "POST /account/signup/complete": ACCOUNT,
  "POST /account/adopt": ACCOUNT,
  "POST /account/logout": ACCOUNT,
  "POST /workspaces/{uuid}/files/content": FILES,
  "PUT /workspaces/{uuid}/files/content": FILES,
  "POST /workspaces/{uuid}/files/directory": FILES,
  "POST /workspaces/{uuid}/files/move": FILES,
  "POST /model-configurations/{id}/test": "Stores nothing.",
  "POST /console/links": "Stores nothing.",
  "POST /model-discovery": "Stores nothing.",
  "POST /provider-models": "Stores nothing.",
  "POST /tool-registry/{uuid}/test": "Stores nothing.",
  "POST /workspaces/{uuid}/rag/cancel": "The run that ends publishes `rag.completed`.",
  "POST /workspaces/{uuid}/rag/search": "Stores nothing.",
  "POST /turns/{uuid}/cancel": "The turn that ends publishes `turn.updated`.",
  "POST /threads/{uuid}/title":
    "Publishes `thread.updated`, and needs a model, which no row here has.",
  "POST /approvals/{uuid}": "The turn that goes on publishes `approval.settled`.",
  "POST /search/messages": "Stores nothing.",
};
