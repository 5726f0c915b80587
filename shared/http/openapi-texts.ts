// What an OpenAPI document says beside what the schemas of routes do. Each slice has its texts in a file
// `openapi`; the generator
// (`npm run openapi`) joins them with the routes. No program loads them: they cost neither start nor bundle.

/** The operations and schemas of one slice. */
export interface SliceTexts {
  /** The tag of its operations, and the namespace of a typed client. */
  tag: string;
  about: string;
  /** By method and path, without the prefix of the API: `GET /threads/{uuid}`. */
  operations: Readonly<Record<string, OperationText>>;
  /** By the name of the component. */
  schemas?: Readonly<Record<string, SchemaText>>;
}

export interface OperationText {
  /** Verb and noun, unique in the document: `createThread`. */
  id: string;
  /** One line. */
  summary: string;
  /** What more there is to know. */
  about: string;
  /** By name; a parameter that has the same meaning everywhere may have its text in `ProgramTexts`. */
  parameters?: Readonly<Record<string, string>>;
  /** The component that an event of its `text/event-stream` is. */
  events?: string;
  /** Whether a body may be sent that is not read. */
  ignoresBody?: boolean;
}

export interface SchemaText {
  about: string;
  /** The schema whose fields have the same texts, unless `fields` says otherwise. */
  like?: string;
  /** By name; of an object within the object by its path: `running.phase`. */
  fields?: Readonly<Record<string, FieldText>>;
}

/** A sentence; or more, where the string holds JSON. */
export type FieldText = string | JsonFieldText;

/** A string that holds JSON. */
export interface JsonFieldText {
  about: string;
  /** The component that describes the value in the string. */
  contentSchema: string;
  /** The value, before it is encoded. */
  example: unknown;
}

/** A response that the spine of a program adds to operations. */
export interface CommonResponse {
  status: number;
  about: string;
  /** Whether the operation can answer it. */
  appliesTo(operation: OperationFacts): boolean;
}

/** What decides on common responses. */
export interface OperationFacts {
  method: string;
  path: string;
  needsBearer: boolean;
  hasJsonBody: boolean;
}

/** The texts of a whole program. */
export interface ProgramTexts {
  title: string;
  about: string;
  /** Before every path. */
  prefix: string;
  /** Where the document in the tree says that the program is. */
  server: string;
  bearer: { type: "http"; scheme: "bearer"; bearerFormat?: string; description: string };
  slices: readonly SliceTexts[];
  /** Parameters that mean the same in every operation, by name. */
  parameters: Readonly<Record<string, string>>;
  responses: readonly CommonResponse[];
  /** Components that no route names (what JSON in strings holds), and those that the program has in its own form. By name. */
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
