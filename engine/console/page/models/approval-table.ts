import type { ApprovalConfig, BuiltinTool, Workspace } from "../../../client/client.ts";

/** The operations of tools on data, in the order of the table. */
export const OPERATIONS = ["read", "create", "update", "delete"] as const;

/** An operation of a tool on data. */
export type ToolOperation = (typeof OPERATIONS)[number];

/** Whether each operation asks first. */
export type Asks = Readonly<Record<ToolOperation, boolean>>;

type Stored = Workspace["approvalConfig"];

// What older configurations say of every change and of every read.
const OLDER_KEYS = { read: "query", create: "mutation", update: "mutation", delete: "mutation" };

/** What a stored policy means: only a literal false allows without a question; what is missing or malformed asks. */
export function asksOf(stored: Stored): Asks {
  const config: Record<string, unknown> = Object(stored);
  const asks = (operation: ToolOperation) => {
    const key = Object.hasOwn(config, operation) ? operation : OLDER_KEYS[operation];
    return !Object.hasOwn(config, key) || config[key] !== false;
  };
  return {
    read: asks("read"),
    create: asks("create"),
    update: asks("update"),
    delete: asks("delete"),
  };
}

/** The policy with another choice for one operation. All four are written, so that older keys decide nothing any more. */
export function withChoice(
  stored: Stored,
  operation: ToolOperation,
  asks: boolean,
): ApprovalConfig {
  return { ...asksOf(stored), [operation]: asks };
}

/** A row of the table: a group of tools, with its tools by operation. */
export interface ApprovalRow {
  group: string;
  tools: Readonly<Record<ToolOperation, readonly string[]>>;
}

/** The rows of the table: the groups of built-in tools, then MCP servers, whose tools all count as `update`. */
export function approvalRows(
  builtin: Readonly<Record<string, readonly BuiltinTool[]>>,
  servers: readonly { name: string; tools: readonly { name: string }[] }[],
): ApprovalRow[] {
  const namesIn = (tools: readonly BuiltinTool[], operation: ToolOperation) =>
    tools.filter((tool) => tool.operation === operation).map(({ name }) => name);
  return [
    ...Object.entries(builtin).map(([group, tools]) => ({
      group,
      tools: {
        read: namesIn(tools, "read"),
        create: namesIn(tools, "create"),
        update: namesIn(tools, "update"),
        delete: namesIn(tools, "delete"),
      },
    })),
    ...servers.map(({ name, tools }) => ({
      group: name,
      tools: { read: [], create: [], update: tools.map((tool) => tool.name), delete: [] },
    })),
  ];
}
