import type { ApprovalConfig, BuiltinTool, Workspace } from "../../../client/client.ts";
import { approvalPolicyOf } from "../../../policies/approval.ts";
import type { Operation } from "../../../policies/operations.ts";

/** The operations of tools on data, in the order of the table. */
export const OPERATIONS = ["read", "create", "update", "delete"] as const;

type Stored = Workspace["approvalConfig"];

/** The policy with another choice for one operation. All four are written, so that older keys decide nothing any more. */
export function withChoice(stored: Stored, operation: Operation, asks: boolean): ApprovalConfig {
  return { ...approvalPolicyOf(stored), [operation]: asks };
}

/** A row of the table: a group of tools, with its tools by operation. */
export interface ApprovalRow {
  group: string;
  tools: Readonly<Record<Operation, readonly string[]>>;
}

/** The rows of the table: the groups of built-in tools, then MCP servers, whose tools all count as `update`. */
export function approvalRows(
  builtin: Readonly<Record<string, readonly BuiltinTool[]>>,
  servers: readonly { name: string; tools: readonly { name: string }[] }[],
): ApprovalRow[] {
  const namesIn = (tools: readonly BuiltinTool[], operation: Operation) =>
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
