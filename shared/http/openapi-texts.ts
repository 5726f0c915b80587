// What the OpenAPI document of a program says beside its routes. The generator (`npm run openapi`) joins them; no program
// loads this, so no bundle has it.

/** What holds for all operations of a program. */
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

// The sign-in server's routes have their texts in a file `openapi` of their slice.

/** The operations and schemas of one slice. */
export interface SliceTexts {
  /** The tag of its operations. */
  tag: string;
  about: string;
  /** By method and path, without the prefix of the API: `GET /threads/{uuid}`. */
  operations: Readonly<Record<string, OperationText>>;
  /** By the name of the component. */
  schemas?: Readonly<Record<string, SchemaText>>;
}

interface OperationText {
  /** Verb and noun, unique in the document: `createThread`. */
  id: string;
  /** One line. */
  summary: string;
  /** What the summary leaves out. */
  about: string;
  /** By name; a parameter that has the same meaning everywhere may have its text in `ProgramTexts`. */
  parameters?: Readonly<Record<string, string>>;
  /** Whether a request may have a body, which is not read. */
  ignoresBody?: boolean;
}

interface SchemaText {
  about: string;
  /** The schema whose fields have the same texts, unless `fields` says otherwise. */
  like?: string;
  /** By name; of an object within the object by its path: `running.phase`. */
  fields?: Readonly<Record<string, string>>;
}

/** The texts of a whole program. */
export interface ProgramTexts extends Omit<ProgramDocument, "tags" | "description"> {
  about: string;
  slices: readonly SliceTexts[];
  /** Parameters that mean the same in every operation, by name. */
  parameters: Readonly<Record<string, string>>;
}
