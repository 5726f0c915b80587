import { UserFacingError } from "./failure.ts";

/** The variables do not allow a start. The message names them for the operator, and contains no value. */
export class BadConfiguration extends UserFacingError {
  override name = "BadConfiguration";
}

/** The environment: `process.env` on Node, `env` on Workers. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * How one variable is read. These are no schemas of zod: variables are read at every start, and schemas for them were a fifth
 * of what a Worker does at its start (B-BUILD-14).
 */
interface Variable<Value> {
  read(given: string | undefined): Read<Value>;
  /** One more rule. All rules are checked, so that the operator sees everything at once. A rule must not repeat the value. */
  refine(isGood: (value: Value) => boolean, rule: string): Variable<Value>;
  optional(): Variable<Value | undefined>;
  default(value: Value): Variable<Value>;
}

/** A value, and the rules that it breaks. */
interface Read<Value> {
  value: Value;
  faults: readonly string[];
  /** False where the text is no such value at all: `value` is the text then, and further rules do not apply. */
  hasForm: boolean;
}

type Table = Readonly<Record<string, Variable<unknown>>>;

/** The values of a table of variables. */
export type Values<Variables> = {
  [Name in keyof Variables]: Variables[Name] extends Variable<infer Value> ? Value : never;
};

/** The rules about several variables; `refuse` reports one of them. `isGood`: each one keeps its own rules. */
export type CheckTogether<Variables> = (
  values: Values<Variables>,
  refuse: (name: keyof Variables & string, rule: string) => void,
  isGood: boolean,
) => void;

/**
 * Reads the variables of a table; an empty one counts as unset.
 * @throws BadConfiguration one error with a sentence for every bad variable
 */
export function parseEnv<Variables extends Table>(
  variables: Variables,
  env: Environment,
  check: CheckTogether<Variables> = () => {},
): Values<Variables> {
  const sentences: string[] = [];
  const refuse = (name: string, rule: string) => sentences.push(`${name}: ${rule}`);
  const entries = Object.entries(variables).map(([name, variable]) => {
    const given = env[name];
    // A binding of Workers is no text.
    const { value, faults } = variable.read(typeof given === "string" && given ? given : undefined);
    for (const rule of faults) refuse(name, rule);
    return [name, value];
  });
  // Each name of the table, with its value.
  const values = Object.fromEntries(entries) as Values<Variables>;
  check(values, refuse, sentences.length === 0);
  if (sentences.length === 0) return values;
  throw new BadConfiguration([...new Set(sentences)].join("\n"));
}

function variable<Value>(read: Variable<Value>["read"]): Variable<Value> {
  return {
    read,
    refine: (isGood, rule) =>
      variable((given) => {
        const found = read(given);
        if (!found.hasForm || isGood(found.value)) return found;
        return { ...found, faults: [...found.faults, rule] };
      }),
    optional: () =>
      variable<Value | undefined>((given) => (given === undefined ? good(given) : read(given))),
    default: (value) => variable((given) => (given === undefined ? good(value) : read(given))),
  };
}

function good<Value>(value: Value): Read<Value> {
  return { value, faults: [], hasForm: true };
}

function formless<Value>(given: string | undefined, rule: string): Read<Value> {
  // `parseEnv` throws: rules about several variables see it, the program does not.
  const value = given as Value;
  return { value, faults: [given === undefined ? "must be set" : rule], hasForm: false };
}

/** A text; `normalize` is applied before the rules are. */
export function string(normalize = (given: string) => given): Variable<string> {
  return variable((given) => (given === undefined ? formless(given, "") : good(normalize(given))));
}

/** An optional text. */
export const text = string().optional();

/** A variable with a few values. The rule names them, where it is left out. */
export function oneOf<const Value extends string>(
  values: readonly Value[],
  rule = `must be one of ${values.join(", ")}`,
): Variable<Value> {
  return variable((given) => {
    const found = values.find((value) => value === given);
    return found === undefined ? formless(given, rule) : good(found);
  });
}

/** A comma-separated list, empty where the variable is unset. `rule` is the message for a bad entry. */
export function listOf(isGood: (entry: string) => boolean, rule: string): Variable<string[]> {
  return variable((given) => good(commaSeparated(given))).refine(
    (entries) => entries.every(isGood),
    rule,
  );
}

/** `a, b,` → `["a", "b"]`. */
function commaSeparated(value: string | undefined): string[] {
  return (value ?? "").split(",").flatMap((item) => item.trim() || []);
}

/** A whole number of decimal digits. */
export function wholeNumber(least: number, most: number): Variable<number> {
  const isInside = (value: number) => value >= least && value <= most;
  return variable<number>((given) =>
    given === undefined
      ? formless(given, "")
      : good(/^\d{1,6}$/.test(given) ? Number(given) : Number.NaN),
  ).refine(isInside, `must be a whole number from ${least} to ${most}`);
}

/** A port to listen on; 0 means any free one. */
export const port = wholeNumber(0, 65_535);

/** From the most that is logged to nothing. */
export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** How much is logged. */
export const logLevel = oneOf(LOG_LEVELS).default("info");
