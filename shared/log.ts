/** A log. The first argument is data, the second one a plain sentence. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

const REDACTED = "[redacted]";
const ADDRESS = "[address]";
const DEPTH_MAX = 6;
const ITEMS_MAX = 100;
/** A longer text is cut before it is searched for secrets and logged. */
const TEXT_CHARACTERS_MAX = 4096;
const SECRET_NAME =
  /^(code|state|token|verifier|secret|password|cookie|authorization|api_?key)$|(_token|_secret|_key|_verifier|Token|Secret|ApiKey|Password)$/i;
// Some with the least length of a match: a counted repetition that has no end is slow to prove linear.
const SECRET_TEXT: readonly [pattern: RegExp, charactersMin?: number][] = [
  [/\beyJ[A-Za-z0-9_.-]+/g, 11],
  [/\brt1\.[A-Za-z0-9_-]+/g],
  [/\bBearer\s+[A-Za-z0-9._~+/-]+=*/gi],
  [/\bsk-[A-Za-z0-9_-]+/g, 11],
  [/\b(AKIA|ASIA)[0-9A-Z]{16}\b/g],
  [/\bgh[pousr]_[A-Za-z0-9]+/g, 24],
  [/\bAIza[0-9A-Za-z_-]{30,}/g],
];
const LOCAL_PART_CHARACTERS_MAX = 64;

/** Removes secrets from a text: tokens and keys of known forms, and mail addresses. A long text is cut first. */
export function redactText(text: string): string {
  const rest = text.length - TEXT_CHARACTERS_MAX;
  const start = rest > 0 ? text.slice(0, TEXT_CHARACTERS_MAX) : text;
  const withoutSecrets = SECRET_TEXT.reduce(
    (kept, [pattern, charactersMin = 0]) =>
      kept.replace(pattern, (found) => (found.length < charactersMin ? found : REDACTED)),
    start,
  );
  const clean = redactAddresses(withoutSecrets);
  return rest > 0 ? `${clean.toWellFormed()} [cut: ${rest} more characters]` : clean;
}

/** Mail servers quote the recipient if they refuse a message (RFC 5321, section 4.1.2). A version (`hono@4.1.2`) is no address. */
function redactAddresses(text: string): string {
  // Most lines have none, those of a start among them: the patterns are compiled with the first.
  if (!text.includes("@")) return text;
  const atDomain = /@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
  const localPart = /[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]/u;
  let clean = "";
  let from = 0;
  for (const { index, 0: domain } of text.matchAll(atDomain)) {
    const least = Math.max(from, index - LOCAL_PART_CHARACTERS_MAX);
    const isQuoted = text[index - 1] === '"';
    let start = isQuoted ? Math.max(text.lastIndexOf('"', index - 2), least) : index;
    while (start > least && localPart.test(text[start - 1] ?? "")) start -= 1;
    if (start === index || !/\p{L}/u.test(domain.slice(domain.lastIndexOf(".")))) continue;
    clean += text.slice(from, start) + ADDRESS;
    from = index + domain.length;
  }
  return clean + text.slice(from);
}

/** Removes secrets from log fields, by the name of the field and the form of the text. Errors keep their causes. */
export function redactFields(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEPTH_MAX) return "[deep]";
  if (value instanceof Error) return redactError(value, depth);
  if (Array.isArray(value)) {
    return value.slice(0, ITEMS_MAX).map((item) => redactFields(item, depth + 1));
  }
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, ITEMS_MAX)
      .map(([name, item]) => [
        name,
        SECRET_NAME.test(name) && item !== null && item !== undefined
          ? REDACTED
          : redactFields(item, depth + 1),
      ]),
  );
}

// Only these: errors of providers carry request bodies and URLs in further properties.
function redactError(error: Error, depth: number): unknown {
  const { message, stack } = withoutValues(error);
  return {
    name: error.name,
    message: redactText(message),
    stack: stack === undefined ? undefined : redactText(stack),
    ...(error.cause === undefined ? {} : { cause: redactFields(error.cause, depth + 1) }),
  };
}

/** The message and stack of an error; of a failed query only the SQL, never its values. */
export function withoutValues(error: Error): { message: string; stack: string | undefined } {
  const { message, stack } = error;
  // drizzle puts the values into the message: password hashes, addresses, sealed keys, messages of users.
  if (!("query" in error && "params" in error)) return { message, stack };
  const clean = `Failed query: ${String(error.query)}`;
  const frames = stack?.startsWith(`${error.name}: ${message}`)
    ? stack.slice(`${error.name}: ${message}`.length)
    : "";
  return { message: clean, stack: `${error.name}: ${clean}${frames}` };
}
