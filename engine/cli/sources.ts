import { isAbsolute, resolve } from "node:path";
import type { TurnSource } from "../client/client.ts";

/** A passage that a turn sent to its model, as `path:line-line`. */
export function toSourceText(source: TurnSource, roots: readonly string[]): string {
  const { rootIndex, path, startLine, endLine, sensitive } = source;
  const root = rootIndex === null ? undefined : roots[rootIndex];
  const place = root === undefined || isAbsolute(path) ? path : resolve(root, path);
  if (sensitive) return `${place} (withheld)`;
  return startLine === null ? place : `${place}:${startLine}-${endLine ?? startLine}`;
}
