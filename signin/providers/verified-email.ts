import { isJsonObject } from "../../shared/json.ts";
import { type EmailAddress, parseEmail } from "../mail/email-address.ts";

/**
 * The address of a provider's list: the primary one if it is verified, else another verified one, else none (Sign-in §4,
 * provider validation 2). Only a literal `true` means verified.
 */
export function chooseVerifiedEmail(list: readonly unknown[]): EmailAddress | undefined {
  const verified = list.flatMap((entry) => {
    if (!isJsonObject(entry) || entry.verified !== true) return [];
    const address = parseEmail(entry.email);
    return address ? [{ address, isPrimary: entry.primary === true }] : [];
  });
  return (verified.find(({ isPrimary }) => isPrimary) ?? verified[0])?.address;
}
