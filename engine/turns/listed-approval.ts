import { cutToBytes, cutWithNotice, utf8 } from "../../shared/bytes.ts";
import { APPROVAL_LISTED_BYTES_MAX, APPROVAL_LISTED_NAMES_MAX } from "./limits.ts";
import type { Approval } from "./wire.ts";

/**
 * An approval as it is listed. A long string is cut to at most half of the remaining bytes, so that a path behind a
 * content has room; any other value that does not fit is left out.
 */
export function toListed(approval: Approval): Approval {
  if (sizeOf(approval.arguments) <= APPROVAL_LISTED_BYTES_MAX) return approval;
  const listed: [string, unknown][] = [];
  let left = APPROVAL_LISTED_BYTES_MAX;
  for (const name of Object.keys(approval.arguments).slice(0, APPROVAL_LISTED_NAMES_MAX)) {
    const value = approval.arguments[name];
    const shown = typeof value === "string" ? cutToJson(value, Math.floor(left / 2)) : value;
    const size = sizeOf({ [name]: shown });
    if (size > left) continue;
    listed.push([name, shown]);
    left -= size;
  }
  return { ...approval, arguments: Object.fromEntries(listed), argumentsTruncated: true };
}

/** Cuts a text to so many bytes of JSON, without the notice of the cut. */
function cutToJson(text: string, bytesMax: number): string {
  let max = bytesMax;
  // One byte may take six as JSON.
  while (sizeOf(cutToBytes(text, max)) > bytesMax && max > 0) max = Math.floor(max * 0.8);
  return cutWithNotice(text, max);
}

function sizeOf(value: unknown): number {
  return utf8(JSON.stringify(value)).length;
}
