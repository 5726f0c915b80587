import { z } from "zod";
import { UserFacingError } from "./failure.ts";

/** The variables do not allow a start. The message names them for the operator, and contains no value. */
export class BadConfiguration extends UserFacingError {
  override name = "BadConfiguration";
}

/** The environment: `process.env` on Node, `env` on Workers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads variables by an object schema, whose messages must not repeat a value. An empty variable counts as unset.
 * @throws BadConfiguration one error with a sentence for every bad variable
 */
export function parseEnv<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
): z.output<Schema> {
  // A binding of Workers is no text.
  const given = Object.entries(env).filter(([, value]) => typeof value === "string" && value);
  const { data, error } = schema.safeParse(Object.fromEntries(given));
  if (!error) return data;
  const sentences = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new BadConfiguration([...new Set(sentences)].join("\n"));
}

/** An optional text. */
export const text = z.string().optional();

/** A variable with a few values. The rule names them, if it is left out. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  rule = `must be one of ${values.join(", ")}`,
) {
  return z.enum(values, rule);
}

/** A comma-separated list, empty if the variable is unset. `rule` is the message for a bad entry. */
export function listOf(isGood: (entry: string) => boolean, rule: string) {
  return z
    .string()
    .default("")
    .transform((value) => value.split(",").flatMap((entry) => entry.trim() || []))
    .refine((entries) => entries.every(isGood), rule);
}

/** A whole number of decimal digits. */
export function wholeNumber(least: number, most: number) {
  const rule = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,6}$/, rule)
    .transform(Number)
    .refine((value) => value >= least && value <= most, rule);
}

/** A port to listen on; 0 means any free one. */
export const port = wholeNumber(0, 65_535);

/** From the most that is logged to nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How much is logged. */
export const logLevel = oneOf(LOG_LEVELS).default("info");
