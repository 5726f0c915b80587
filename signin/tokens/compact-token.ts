import { ACCESS_TOKEN_CHARACTERS_MAX } from "../public-limits.ts";

const PARTS = /^[\w-]+\.[\w-]+\.(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/**
 * Whether a text may be an access token: three parts of base64url, the last one in its only spelling. Decoders ignore the spare
 * bits of a last character, so one signature would have several texts.
 */
export function isCompactToken(text: string): boolean {
  return text.length <= ACCESS_TOKEN_CHARACTERS_MAX && PARTS.test(text);
}
