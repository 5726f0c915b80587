import { fromBase64Url } from "../../shared/bytes.ts";
import { ACCESS_TOKEN_CHARACTERS_MAX } from "../limits.ts";

const PARTS = /^[\w-]+\.[\w-]+\.[\w-]*$/;

/**
 * Whether a text may be an access token: three parts of base64url, the last one in its only spelling. Decoders ignore the spare
 * bits of a last character, so one signature would have several texts.
 */
export function isCompactToken(text: string): boolean {
  if (text.length > ACCESS_TOKEN_CHARACTERS_MAX || !PARTS.test(text)) return false;
  return fromBase64Url(text.slice(text.lastIndexOf(".") + 1)) !== undefined;
}
