import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import type { Clock } from "../../shared/clock.ts";
import { failure, SigninError } from "../errors.ts";
import { DISCOVERY_LIFETIME_SEC } from "../limits.ts";
import { createCachedDocument } from "./cached-document.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

/** The provider's published metadata. */
export interface Metadata {
  /**
   * A copy for each caller: oauth4webapi keys its caches by the object, and they hold promises.
   * @throws SigninError `provider_error`, `provider_unavailable`
   */
  get(): Promise<AuthorizationServer>;
}

const ENDPOINTS = ["authorization_endpoint", "token_endpoint", "jwks_uri"] as const;

export function createMetadata(
  clock: Clock,
  fetchProvider: ProviderFetch,
  issuer: string,
): Metadata {
  const cached = createCachedDocument({
    clock,
    lifetimeSec: DISCOVERY_LIFETIME_SEC,
    refetchSec: DISCOVERY_LIFETIME_SEC,
    load: () => discover(fetchProvider, issuer),
  });
  return {
    async get() {
      return { ...(await cached.get()) };
    },
  };
}

async function discover(fetchProvider: ProviderFetch, text: string): Promise<AuthorizationServer> {
  const issuer = new URL(text);
  const isPlain = issuer.protocol === "http:";
  try {
    const response = await discoveryRequest(issuer, {
      [customFetch]: fetchProvider,
      [allowInsecureRequests]: isPlain,
    });
    const found = await processDiscoveryResponse(issuer, response);
    for (const name of [...ENDPOINTS, "userinfo_endpoint"] as const) {
      const isNeeded = name !== "userinfo_endpoint";
      if (!isEndpoint(found[name], { isPlain, isNeeded }))
        throw failure("provider_error", `${name} is not good`);
    }
    return found;
  } catch (error) {
    if (error instanceof SigninError) throw error;
    throw failure("provider_error", error instanceof Error ? error.message : "discovery failed");
  }
}

function isEndpoint(
  value: unknown,
  { isPlain, isNeeded }: { isPlain: boolean; isNeeded: boolean },
) {
  if (value === undefined) return !isNeeded;
  const protocol = typeof value === "string" ? URL.parse(value)?.protocol : undefined;
  return protocol === "https:" || (isPlain && protocol === "http:");
}
