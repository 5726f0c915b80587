import assert from "node:assert/strict";

/** The path of the next page, without the prefix of the API; undefined on the last page. */
export function nextPath(response: Response): string | undefined {
  const link = response.headers.get("link");
  if (link === null) return undefined;
  const [, target] = /^<([^>]*)>; rel="next"$/.exec(link) ?? [];
  assert.ok(target, link);
  const { pathname, search } = new URL(target);
  return pathname.replace("/api/v1", "") + search;
}
