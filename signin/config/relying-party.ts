import { parse } from "tldts";
import { failure } from "../errors.ts";
import { once } from "../once.ts";
import type { SigninConfig } from "./config.ts";

/** The relying party of passkeys (WebAuthn, section 4). */
export interface RelyingParty {
  /** The domain that passkeys belong to. */
  id: string;
  /** Pages that may use them. */
  origins: readonly string[];
}

type PartyConfig = Pick<SigninConfig, "baseUrl" | "uiUrl" | "passkeyRpId">;

/** Finds the relying party at the first call, and keeps it. @throws SigninError `passkeys_unavailable` */
export function createRelyingParty(config: PartyConfig): () => RelyingParty {
  return once(() => {
    const reason = describeRefusedRpId(config);
    if (reason !== undefined) throw failure("passkeys_unavailable", reason);
    const { baseUrl, uiUrl } = config;
    const origins = [...new Set([new URL(baseUrl).origin, new URL(uiUrl).origin])];
    return { id: resolveRpId(config), origins };
  });
}

/** Why `PASSKEY_RP_ID` cannot be used; undefined if it can. Browsers refuse a public suffix. */
export function describeRefusedRpId({
  passkeyRpId,
}: Pick<SigninConfig, "passkeyRpId">): string | undefined {
  if (passkeyRpId === undefined || !isPublicSuffix(passkeyRpId)) return undefined;
  return "PASSKEY_RP_ID: must not be a public suffix, whose sub-domains belong to many: name your own domain";
}

/** The registrable domain that both addresses share, so that passkeys work on both; else this server's own host. */
function resolveRpId({ baseUrl, uiUrl, passkeyRpId }: PartyConfig): string {
  if (passkeyRpId !== undefined) return passkeyRpId;
  const [own, ui] = [new URL(baseUrl).hostname, new URL(uiUrl).hostname];
  const registrable = findRegistrable(ui);
  return registrable !== undefined && registrable === findRegistrable(own) ? registrable : own;
}

/** The name under its public suffix; undefined for an address, a suffix, and a suffix that is not listed. */
function findRegistrable(host: string): string | undefined {
  const { domain, isIcann, isPrivate } = readListed(host);
  return isIcann || isPrivate ? (domain ?? undefined) : undefined;
}

function isPublicSuffix(host: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = readListed(host);
  return Boolean(isIcann || isPrivate) && publicSuffix === host;
}

/** Suffixes of companies count, as for browsers. */
function readListed(host: string) {
  return parse(host, { allowPrivateDomains: true });
}
