import type { Operation } from "../tools/builtin/builtin.ts";

/** Whether an operation needs the user's approval. */
export type ApprovalPolicy = Readonly<Record<Operation, boolean>>;

// The keys of before: `mutation` stood for everything that changes something.
const LEGACY_KEYS = {
  create: "mutation",
  read: "query",
  update: "mutation",
  delete: "mutation",
} as const satisfies Record<Operation, string>;

/**
 * The thread's policy where it has one, else the workspace's. Only a literal false lets an operation pass without
 * asking: what is missing or malformed asks (Engine §2, approval inheritance).
 */
export function parseApprovalPolicy(
  threadConfig: string | null,
  workspaceConfig: string | null,
): ApprovalPolicy {
  const config = parseObject(threadConfig ?? workspaceConfig);
  const isRequired = (operation: Operation) => {
    if (Object.hasOwn(config, operation)) return config[operation] !== false;
    const legacy = LEGACY_KEYS[operation];
    return !Object.hasOwn(config, legacy) || config[legacy] !== false;
  };
  return {
    create: isRequired("create"),
    read: isRequired("read"),
    update: isRequired("update"),
    delete: isRequired("delete"),
  };
}

function parseObject(text: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Malformed counts as missing: everything asks.
  }
  return {};
}
