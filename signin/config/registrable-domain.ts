/** What the public suffix list says of a host name. */
export interface ListedDomain {
  /** The name under its public suffix; null for an address, a suffix, and a suffix that is not listed. */
  registrable: string | null;
  isPublicSuffix: boolean;
}

/** The list is large, so it is loaded with the first use of passkeys. Suffixes of companies count, as for browsers. */
export async function readListedDomain(host: string): Promise<ListedDomain> {
  const { parse } = await import("tldts");
  const { domain, publicSuffix, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  const isListed = isIcann === true || isPrivate === true;
  return {
    registrable: isListed ? domain : null,
    isPublicSuffix: isListed && publicSuffix === host,
  };
}
