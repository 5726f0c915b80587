import { parseEmail } from "../mail/email-address.ts";

/**
 * The address to trust of a provider's list: the primary one where it is verified, else another verified one, else none
 * (Sign-in §4, provider validation 2). Only a literal `true` counts.
 */
export function chooseVerifiedEmail(list: readonly unknown[]): string | undefined {
  const verified = list.flatMap((entry) => {
    if (typeof entry !== "object" || entry === null) return [];
    const { email, verified, primary } = entry as Record<string, unknown>;
    const address = verified === true ? parseEmail(email) : undefined;
    return address ? [{ email: address.email, isPrimary: primary === true }] : [];
  });
  return (verified.find(({ isPrimary }) => isPrimary) ?? verified[0])?.email;
}
