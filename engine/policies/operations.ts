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
