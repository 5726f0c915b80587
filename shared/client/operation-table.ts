import type { Operation, Trait } from "./operation.ts";

/** The operations of a generated table, by their ids. */
type OperationTable<Id extends string> = Readonly<Record<Id, Operation>>;

/**
 * Reads a table. A line without a space is a tag, and the operations of the tag follow: `list_Threads_ GET /threads?limit&at json`
 * is `listThreads`, with what stands between the underscores left out of the method's name, then query and traits.
 */
export function readOperations<Id extends string>(table: string): OperationTable<Id> {
  const operations: Record<string, Operation> = {};
  let tag = "";
  for (const line of table.split("\n")) {
    const [name = "", method, target = "", ...traits] = line.split(" ");
    if (method === undefined) {
      tag = name;
      continue;
    }
    const [path, ...query] = target.split(/[?&]/);
    const as = `${tag}.${name.replace(/_.*_/, "")}`;
    // The generator writes no other words.
    operations[name.replaceAll("_", "")] = {
      as,
      to: `${method} ${path}`,
      query,
      traits: traits as Trait[],
    };
  }
  return operations as OperationTable<Id>;
}

/** A method for each operation, by its id in `operations`, and in the namespace of its tag. */
export function bindOperations(
  table: OperationTable<string>,
  call: (operation: Operation, args: readonly unknown[]) => unknown,
): Record<string, Record<string, unknown>> {
  const operations: Record<string, unknown> = {};
  const namespaces: Record<string, Record<string, unknown>> = {};
  for (const [id, operation] of Object.entries(table)) {
    const method = (...args: unknown[]) => call(operation, args);
    const [tag = "", name = ""] = operation.as.split(".");
    operations[id] = method;
    namespaces[tag] = { ...namespaces[tag], [name]: method };
  }
  return { ...namespaces, operations };
}
