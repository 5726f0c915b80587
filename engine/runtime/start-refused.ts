/** A start that cannot be. Its message is one sentence for the person who started it. */
export class StartRefused extends Error {
  override name = "StartRefused";
}

/** The `code` of a failed system call, such as `EACCES`, or the empty string. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
