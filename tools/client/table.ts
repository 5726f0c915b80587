import type { Trait } from "../../shared/client/operation.ts";
import type { ClientOperation } from "./operations.ts";

/** Which table is written. */
interface TableOptions {
  /** The program whose document it is of. */
  program: string;
  /** The fields that hold JSON in a string; undefined where no client looks at them. */
  jsonFields?: readonly string[];
  /** Whether rows say which operations take a session. */
  hasSessions?: boolean;
}

/**
 * The module with the table of operations: what the client needs at run time. It is one text, as clients are downloaded, and
 * `readOperations()` says how to read it.
 */
export function writeTable(
  operations: readonly ClientOperation[],
  { program, jsonFields, hasSessions = false }: TableOptions,
): string {
  const lines = operations.flatMap((operation, at) => {
    const { tag, id, method, path, query, takesBearer } = operation;
    const names = query.length > 0 ? `?${query.map(({ name }) => name).join("&")}` : "";
    const traits = [...traitsOf(operation), ...(hasSessions && takesBearer ? ["session"] : [])];
    const row = [markNoun(id, operation.name), method, `${path}${names}`, ...traits].join(" ");
    return operations[at - 1]?.tag === tag ? [row] : [tag, row];
  });
  const fields = `
/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ${JSON.stringify(jsonFields)};
`;
  return `// Written by \`npm run client:generate\` from ${program}/openapi.json.
import { readOperations } from "../../shared/client/operation-table.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its \`operationId\`. */
export const OPERATIONS = readOperations<keyof Operations>(\`${lines.join("\n")}\`);
${jsonFields ? fields : ""}`;
}

function traitsOf(operation: ClientOperation): Trait[] {
  const { kind } = operation.answer;
  const traits: readonly (Trait | false)[] = [
    operation.body !== undefined && "body",
    operation.hasSnakeBody && "snakeBody",
    operation.hasSnakeAnswer && "snakeAnswer",
    operation.hasJsonFields && "json",
    kind !== "json" && kind !== "nothing" && kind,
  ];
  return traits.filter((trait) => trait !== false);
}

/** Underscores around what the name of the method leaves out of the id: `create_Thread_`. */
function markNoun(id: string, name: string): string {
  if (id === name) return id;
  // The noun begins with a capital, and the name may begin like it: `getModels` without `Model` is no `get`.
  const at = [...id].findIndex(
    (letter, index) =>
      letter !== letter.toLowerCase() &&
      name.startsWith(id.slice(0, index)) &&
      id.endsWith(name.slice(index)),
  );
  const end = id.length - (name.length - at);
  return `${id.slice(0, at)}_${id.slice(at, end)}_${id.slice(end)}`;
}
