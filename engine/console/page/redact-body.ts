// What a body of a request may say that no page shows again.
const SECRET_NAME = /key|secret|token|password|auth|headers|code|value/i;

const HIDDEN = "…";
const UNREADABLE = "(not shown)";

/** A JSON body without its secrets: fields whose names say that they may hold one are hidden. */
export function redactBody(body: string): string {
  try {
    return JSON.stringify(hideIn(JSON.parse(body)));
  } catch {
    return UNREADABLE;
  }
}

function hideIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideIn);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [
    name,
    SECRET_NAME.test(name) && isText(field) ? HIDDEN : hideIn(field),
  ]);
  return Object.fromEntries(entries);
}

function isText(field: unknown): boolean {
  return typeof field === "string" || (typeof field === "object" && field !== null);
}
