import { isJsonObject, parseJson } from "../../shared/json.ts";

/** The operations of tools on data. A policy decides on approval for each (Engine §2, approval inheritance). */
export const OPERATIONS = ["create", "read", "update", "delete"] as const;
export type Operation = (typeof OPERATIONS)[number];

const PREFIXES: readonly (readonly [Operation, readonly string[]])[] = [
  ["create", ["create_", "add_"]],
  ["read", ["read_", "get_", "list_", "search_", "find_"]],
  ["update", ["update_", "set_", "edit_", "replace_", "move_", "rename_", "write_"]],
  ["delete", ["delete_", "remove_"]],
];

/** The operation of a tool, by the prefix of its name; unknown names are `update` (Engine §2, approval inheritance 4). */
export function operationOf(toolName: string): Operation {
  const known = PREFIXES.find(([, prefixes]) => prefixes.some((it) => toolName.startsWith(it)));
  return known?.[0] ?? "update";
}

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
