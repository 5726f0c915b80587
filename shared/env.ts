import { z } from "zod";
import { UserFacingError } from "./failure.ts";

/** A start that must not happen. Its message is for the operator: it names variables and never prints a value. */
export class BadConfiguration extends UserFacingError {
  override name = "BadConfiguration";
}

/** The environment as every runtime has it: `process.env` on Node, `env` on Workers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that `schema` names; an empty one counts as unset.
 * @throws BadConfiguration one error with a sentence for every bad variable. Schemas give the messages themselves and
 * must not put a secret's value into one.
 */
export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
): z.output<Schema> {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => typeof value === "string" && value !== ""),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const sentences = parsed.error.issues.map(({ path, message }) =>
    path.length > 0 ? `${path.join(".")}: ${message}` : message,
  );
  throw new BadConfiguration([...new Set(sentences)].join("\n"));
}

/** `a, b,` → `["a", "b"]`. */
function commaSeparated(value: string | undefined): string[] {
  return (value ?? "").split(",").flatMap((item) => item.trim() || []);
}

/** A variable that may be left out. */
export const text = z.string().optional();

/** A variable with a few values. The message names them. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

/** A comma-separated list, empty where the variable is left out; `rule` is the message for an entry that is not good. */
export function listOf(isGood: (entry: string) => boolean, rule: string) {
  return text.transform(commaSeparated).refine((entries) => entries.every(isGood), rule);
}
