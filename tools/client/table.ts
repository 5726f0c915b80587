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

/** The module with the table of operations: what the client needs at run time. A property that is usual is left out. */
export function writeTable(
  operations: readonly ClientOperation[],
  { program, jsonFields, hasSessions = false }: TableOptions,
): string {
  const rows = operations.map((operation) => {
    const bearer = hasSessions && operation.takesBearer ? 1 : undefined;
    return `  ${operation.id}: ${JSON.stringify({ ...rowOf(operation), bearer })},\n`;
  });
  const fields = `
/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ${JSON.stringify(jsonFields)};
`;
  return `// Written by \`npm run client:generate\` from ${program}/openapi.json.
import type { Operation } from "../../shared/client/operation.ts";

/** Every operation of the document, by its \`operationId\`. */
export const OPERATIONS = {
${rows.join("")}} as const satisfies Record<string, Operation>;
${jsonFields ? fields : ""}`;
}

function rowOf(operation: ClientOperation) {
  const { tag, name, method, path, query, body, answer, ...flags } = operation;
  return {
    as: `${tag}.${name}`,
    to: `${method} ${path}`,
    query: query.length > 0 ? query.map((parameter) => parameter.name) : undefined,
    body: body ? 1 : undefined,
    answer: answer.kind === "json" || answer.kind === "nothing" ? undefined : answer.kind,
    snakeBody: flags.hasSnakeBody ? 1 : undefined,
    snakeAnswer: flags.hasSnakeAnswer ? 1 : undefined,
    jsonFields: flags.hasJsonFields ? 1 : undefined,
  };
}
