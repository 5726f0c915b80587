import {
  type AuthorizationServer,
  allowInsecureRequests,
  customFetch,
  discoveryRequest,
  processDiscoveryResponse,
} from "oauth4webapi";
import type { Clock } from "../../shared/clock.ts";
import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { OidcProviderConfig } from "../config/provider-config.ts";
import { failure, SigninError } from "../errors.ts";
import { DISCOVERY_LIFETIME_SEC } from "../limits.ts";
import { createCachedDocument } from "./cached-document.ts";
import { isOwnIssuer } from "./microsoft.ts";
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
  config: OidcProviderConfig,
): Metadata {
  const cached = createCachedDocument({
    clock,
    lifetimeSec: DISCOVERY_LIFETIME_SEC,
    refetchSec: DISCOVERY_LIFETIME_SEC,
    load: () => discover(fetchProvider, config),
  });
  return {
    async get() {
      return { ...(await cached.get()) };
    },
  };
}

async function discover(
  fetchProvider: ProviderFetch,
  config: OidcProviderConfig,
): Promise<AuthorizationServer> {
  const issuer = new URL(config.metadataIssuer);
  const isPlain = issuer.protocol === "http:";
  try {
    const response = await discoveryRequest(issuer, {
      [customFetch]: fetchProvider,
      [allowInsecureRequests]: isPlain,
    });
    const isMicrosoft = config.preset === "microsoft";
    const named = isMicrosoft ? await readIssuer(response.clone()) : undefined;
    const expected = named !== undefined && isOwnIssuer(config, named) ? new URL(named) : issuer;
    const found = await processDiscoveryResponse(expected, response);
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

async function readIssuer(response: Response): Promise<string | undefined> {
  const json = parseJson(await response.text());
  return isJsonObject(json) && typeof json.issuer === "string" ? json.issuer : undefined;
}

function isEndpoint(
  value: unknown,
  { isPlain, isNeeded }: { isPlain: boolean; isNeeded: boolean },
) {
  if (value === undefined) return !isNeeded;
  const protocol = typeof value === "string" ? URL.parse(value)?.protocol : undefined;
  return protocol === "https:" || (isPlain && protocol === "http:");
}
