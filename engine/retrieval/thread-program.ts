/** The program of a thread: beside the source that starts it, and under the same name beside the bundle. */
export function threadProgram(name: string, startedBy: string): URL {
  const extension = startedBy.endsWith(".ts") ? "ts" : "mjs";
  return new URL(`./${name}.${extension}`, startedBy);
}
