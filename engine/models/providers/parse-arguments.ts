/** What the model wrote as arguments; an empty object where that is no JSON object, as providers take nothing else back. */
export function parseArguments(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
