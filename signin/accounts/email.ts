import { EMAIL_CHARACTERS_MAX } from "../limits.ts";

/** An address as it was written, and the form in which two spellings of one mailbox are equal. */
export interface EmailAddress {
  email: string;
  norm: string;
}

const LOCAL_CHARACTERS_MAX = 64;
// Printable, without the quoted forms of RFC 5322 that no provider gives out.
const SHAPE =
  /^[^\s"(),:;<>@[\\\]\p{Cc}]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u;

/** Undefined where the value is no structurally valid address (Sign-in §4, provider validation 2). */
export function parseEmail(value: unknown): EmailAddress | undefined {
  if (typeof value !== "string" || value.length > EMAIL_CHARACTERS_MAX) return undefined;
  const email = value.normalize("NFC");
  const local = email.slice(0, email.lastIndexOf("@"));
  if (!SHAPE.test(email) || local.length > LOCAL_CHARACTERS_MAX) return undefined;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return undefined;
  return { email, norm: email.toLowerCase() };
}
