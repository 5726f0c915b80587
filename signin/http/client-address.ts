import type { SigninConfig } from "../config/config.ts";
import { networkHas, parseAddress, parseNetwork } from "../config/network.ts";
import type { RequestOrigin } from "../deps.ts";

/** Returns the client's address of a request; empty if it is unknown. */
type AddressReader = (origin: RequestOrigin, headers: Headers) => string;

/**
 * `X-Forwarded-For` is read only if the peer is a trusted proxy, from right to left: the first address that is not a
 * trusted proxy is the client's. The client itself may have written anything to the left of it.
 */
export function createAddressReader({
  trustedProxies,
}: Pick<SigninConfig, "trustedProxies">): AddressReader {
  const networks = trustedProxies.flatMap((text) => parseNetwork(text) ?? []);
  const isProxy = (address: string) => networks.some((network) => networkHas(network, address));
  return ({ address = "", addressIsFinal = false }, headers) => {
    if (addressIsFinal || !isProxy(address)) return address;
    let client = address;
    for (const hop of (headers.get("x-forwarded-for") ?? "").split(",").reverse()) {
      const text = withoutPort(hop.trim());
      if (parseAddress(text) === undefined) return client;
      client = text;
      if (!isProxy(text)) return client;
    }
    return client;
  };
}

/** Some proxies write `203.0.113.7:50123`, `[2001:db8::1]:50123` or `[2001:db8::1]`. */
function withoutPort(hop: string): string {
  const [, v6, v4] = /^(?:\[([^\]]*)\]|([\d.]+):\d{1,5})(?::\d{1,5})?$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}
