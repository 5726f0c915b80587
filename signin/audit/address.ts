import { networkHas, parseNetwork, toPrefix } from "../config/network.ts";

// Enough to tell one network from another, too little to tell one person from the next.
const STORED_BITS = { v4: 24, v6: 48 };
// An IPv4 address is one client; of IPv6, every household has a /64 to itself.
const CLIENT_BITS = { v4: 32, v6: 64 };
const LOOPBACK = ["127.0.0.0/8", "::1"].flatMap((text) => parseNetwork(text) ?? []);

/** `203.0.113.0/24`, `2001:db8:1::/48`: what is kept of an address, unless the operator asks for all of it. */
export function toStoredAddress(address: string, options: { full: boolean }): string | null {
  const prefix = toPrefix(address, STORED_BITS);
  if (prefix === undefined) return null;
  return options.full ? address : prefix;
}

/** What counts as one client where requests are counted by address. */
export function toClientKey(address: string): string {
  return toPrefix(address, CLIENT_BITS) ?? "unknown";
}

/** The network of a client, `/24` or `/48`: what one party can hold many addresses of. */
export function toNetworkKey(address: string): string {
  return toPrefix(address, STORED_BITS) ?? "unknown";
}

/** Whether an address is of this very machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.some((network) => networkHas(network, address));
}
