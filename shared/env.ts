import { z } from "zod";
import { UserFacingError } from "./failure.ts";

/** The variables do not allow a start. The message names them for the operator, and contains no value. */
export class BadConfiguration extends UserFacingError {
  override name = "BadConfiguration";
}

/** The environment: `process.env` on Node, `env` on Workers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that `schema` names; an empty one counts as unset.
 * @throws BadConfiguration one error with a sentence for every bad variable. The messages are those of the schema, which
 * must not put a value into them.
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

/** An optional variable. */
export const text = z.string().optional();

/** A variable with a few values. The message names them. */
export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

/** A comma-separated list, empty where the variable is unset. `rule` is the message for a bad entry. */
export function listOf(isGood: (entry: string) => boolean, rule: string) {
  return text.transform(commaSeparated).refine((entries) => entries.every(isGood), rule);
}

/** A whole number of decimal digits. */
export function wholeNumber(least: number, most: number) {
  return z
    .string()
    .transform((digits) => (/^\d{1,6}$/.test(digits) ? Number(digits) : Number.NaN))
    .refine((value) => value >= least && value <= most, {
      message: `must be a whole number from ${least} to ${most}`,
    });
}

/** A port to listen on; 0 means any free one. */
export const port = wholeNumber(0, 65_535);

/** How much is logged. */
export const logLevel = oneOf([
  "trace",
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
  "silent",
]).default("info");
