import { EMAIL_CHARACTERS_MAX } from "../limits.ts";

/** An address as written, and its normal form, which all spellings of one mailbox share. */
export interface EmailAddress {
  email: string;
  norm: string;
}

const LOCAL_CHARACTERS_MAX = 64;
const HOST_CHARACTERS_MAX = 253;
// Printable, without the quoted forms of RFC 5322, which providers do not issue.
const SHAPE =
  /^[^\s"(),:;<>@[\\\]\p{Cc}\p{Cf}\p{Cs}\ufffd]+@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u;
// A last label that is a number would make it an IP address.
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Undefined if the value is no structurally valid address (Sign-in §4, provider validation 2). */
export function parseEmail(value: unknown): EmailAddress | undefined {
  if (typeof value !== "string" || value.length > EMAIL_CHARACTERS_MAX) return undefined;
  const email = value.normalize("NFC");
  const at = email.lastIndexOf("@");
  const local = email.slice(0, at);
  if (!SHAPE.test(email) || local.length > LOCAL_CHARACTERS_MAX) return undefined;
  if (local.startsWith(".") || local.endsWith(".") || local.includes("..")) return undefined;
  // NFC turns the Kelvin sign into the letter K, which can be another mailbox.
  if (becomesAscii(value.slice(0, value.lastIndexOf("@")))) return undefined;
  const host = toHost(email.slice(at + 1));
  return host === undefined ? undefined : { email, norm: `${local.toLowerCase()}@${host}` };
}

/**
 * The normal form of earlier versions: the domain as written. Accounts are looked up in both forms, so that none is lost
 * and none is created twice. For a domain in ASCII the two are equal.
 */
export function toFormerNorm(email: string): string {
  return email.normalize("NFC").toLowerCase();
}

/** The forms that rows of an address may have: of this version, and of earlier ones. */
export function listNorms(email: string): string[] {
  const norms = [parseEmail(email)?.norm ?? "", toFormerNorm(email)];
  return [...new Set(norms)].filter((norm) => norm !== "");
}

/** The ASCII form of a domain (UTS 46). */
function toHost(domain: string): string | undefined {
  const host = URL.parse(`http://${domain}`)?.hostname ?? "";
  return host.length <= HOST_CHARACTERS_MAX && HOST.test(host) ? host : undefined;
}

function becomesAscii(text: string): boolean {
  return [...text].some((char) => char > "\u007f" && /^[\0-\x7f]+$/.test(char.normalize("NFC")));
}
