import type { ClientOperation } from "./operations.ts";

const HEADER = "// Written by `npm run client:generate` from engine/openapi.json.\n";

/** The module with the table of operations: what the client needs at run time. A property that is usual is left out. */
export function writeTable(
  operations: readonly ClientOperation[],
  jsonFields: readonly string[],
): string {
  const rows = operations.map(
    (operation) => `  ${operation.id}: ${JSON.stringify(rowOf(operation))},\n`,
  );
  return `${HEADER}import type { Operation } from "./operation.ts";

/** Every operation of the engine, by its \`operationId\`. */
export const OPERATIONS = {
${rows.join("")}} as const satisfies Record<string, Operation>;

/** The fields that hold JSON in a string. */
export const JSON_FIELDS: readonly string[] = ${JSON.stringify(jsonFields)};
`;
}

function rowOf({ tag, name, method, path, query, body, answer, ...flags }: ClientOperation) {
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
