import type { CreateWorkspace, Workspace } from "./client.ts";

/**
 * What command line and console make of a new workspace: reading in its folders runs without a question, and tools that reach
 * the whole machine are off until a person wants them.
 */
export const NEW_WORKSPACE = {
  approvalConfig: { read: false },
  toolsConfig: { builtin: { filesystem: { enabled: false } } },
} satisfies Partial<CreateWorkspace>;

/** What is changed in a workspace so that its folders, and only they, are read without a question. */
export function toReadFreely(
  workspace: Pick<Workspace, "approvalConfig" | "toolsConfig">,
): Pick<CreateWorkspace, "approvalConfig" | "toolsConfig"> {
  const approvals = objectOf(workspace.approvalConfig);
  const tools = objectOf(workspace.toolsConfig);
  const { builtin } = NEW_WORKSPACE.toolsConfig;
  return {
    approvalConfig: { ...approvals, ...NEW_WORKSPACE.approvalConfig },
    toolsConfig: { ...tools, builtin: { ...tools?.builtin, ...builtin } },
  };
}

/** A stored value that is no object counts as none. */
function objectOf<Value extends object>(stored: Value | null) {
  return stored && !("malformed" in stored)
    ? (stored as Exclude<Value, { malformed: unknown }>)
    : undefined;
}
