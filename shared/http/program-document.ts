// What the OpenAPI document of a program says beside its routes. The generator (`npm run openapi`) joins them; no program
// loads this, so no bundle has it.

/** The parts that all operations of a program share. */
export interface ProgramDocument {
  title: string;
  description: string;
  /** Before every path. */
  prefix: string;
  /** The address of the program in the committed document. */
  server: string;
  bearer: { type: "http"; scheme: "bearer"; bearerFormat?: string; description: string };
  /** The tags of operations, each the namespace of a typed client, with their descriptions. */
  tags: Readonly<Record<string, string>>;
  responses: readonly CommonResponse[];
  /** Components that no route names (what JSON in strings holds), and those that the program has in its own form. By name. */
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A response that the pipeline of a program adds to operations. */
export interface CommonResponse {
  status: number;
  about: string;
  /** Whether the operation can answer it. */
  appliesTo(operation: OperationFacts): boolean;
}

/** The facts that decide which common responses an operation has. */
export interface OperationFacts {
  method: string;
  path: string;
  needsBearer: boolean;
  hasJsonBody: boolean;
}
