// The part of zod that this program uses, for the Worker's bundle alone (wrangler.toml, alias). zod's own entry keeps its
// whole namespace in a bundle: every schema, a compiler, JSON Schema in both directions and fifty languages.
// test/signin/workers/zod.test.ts fails where a name is missing.

export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  int,
  lazy,
  literal,
  nullable,
  number,
  object,
  optional,
  record,
  string,
  union,
  unknown,
  ZodArray,
  ZodObject,
  ZodPipe,
  ZodType,
} from "../../../node_modules/zod/v4/classic/schemas.js";
export { config, globalRegistry, NEVER } from "../../../node_modules/zod/v4/core/index.js";
