import type { Operation, Trait } from "../../shared/client/operation.ts";
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

/** The module with the table of operations: what the client needs at run time. */
export function writeTable(
  operations: readonly ClientOperation[],
  { program, jsonFields, hasSessions = false }: TableOptions,
): string {
  const rows = operations.map((operation) => {
    const { tag, id, name, method, path, query, takesBearer } = operation;
    const row: Operation = {
      as: `${tag}.${name}`,
      to: `${method} ${path}`,
      query: query.map((parameter) => parameter.name),
      traits: [...traitsOf(operation), ...(hasSessions && takesBearer ? ["session" as const] : [])],
    };
    return `  ${id}: ${JSON.stringify(row)},`;
  });
  const fields = `
/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ${JSON.stringify(jsonFields)};
`;
  return `// Written by \`npm run client:generate\` from ${program}/openapi.json.
import type { Operation } from "../../shared/client/operation.ts";
import type { Operations } from "./wire.generated.ts";

/** Every operation of the document, by its \`operationId\`. */
export const OPERATIONS: Readonly<Record<keyof Operations, Operation>> = {
${rows.join("\n")}
};
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
