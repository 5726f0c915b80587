import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { Operation } from "./operations.ts";

/** Whether an operation needs the user's approval. */
export type ApprovalPolicy = Readonly<Record<Operation, boolean>>;

// Older configurations have two keys: `mutation` for every change, `query` for every read.
const LEGACY_KEYS = {
  create: "mutation",
  read: "query",
  update: "mutation",
  delete: "mutation",
} as const satisfies Record<Operation, string>;

/**
 * `approvalConfig`: the thread's if it has one, else the workspace's. Only a literal false skips approval. A missing
 * or malformed configuration requires approval (Engine §2, approval inheritance).
 */
export function parseApprovalPolicy(
  threadConfig: string | null,
  workspaceConfig: string | null,
): ApprovalPolicy {
  return approvalPolicyOf(parseJson(threadConfig ?? workspaceConfig));
}

/** The policy that a parsed `approvalConfig` means. */
export function approvalPolicyOf(value: unknown): ApprovalPolicy {
  const config = isJsonObject(value) ? value : {};
  const isRequired = (operation: Operation) => {
    const legacy = LEGACY_KEYS[operation];
    const key = Object.hasOwn(config, operation) ? operation : legacy;
    return !Object.hasOwn(config, key) || config[key] !== false;
  };
  return {
    read: isRequired("read"),
    create: isRequired("create"),
    update: isRequired("update"),
    delete: isRequired("delete"),
  };
}
