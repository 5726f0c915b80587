import { bareHost } from "../../shared/host.ts";
import { networkHas, parseNetwork, toPrefix } from "../config/network.ts";

// Enough bits for a network, too few for a household.
const STORED_BITS = { v4: 24, v6: 48 };
// An IPv4 address is one client. With IPv6 each household has a /64 of its own.
const CLIENT_BITS = { v4: 32, v6: 64 };
// What a provider of access has many of.
const BLOCK_BITS = { v4: 16, v6: 32 };
const LOOPBACK = ["127.0.0.0/8", "::1"].flatMap((text) => parseNetwork(text) ?? []);

/** The stored part of an address: `203.0.113.0/24`, `2001:db8:1::/48`, or all of it if the operator wants that. */
export function toStoredAddress(address: string, options: { full: boolean }): string | null {
  const prefix = toPrefix(address, STORED_BITS);
  if (prefix === undefined) return null;
  return options.full ? address : prefix;
}

/** The key of one client in counters. */
export function toClientKey(address: string): string {
  return toPrefix(address, CLIENT_BITS) ?? "unknown";
}

/** The network of a client, `/24` or `/48`: one party can have many addresses in it. */
export function toNetworkKey(address: string): string {
  return toPrefix(address, STORED_BITS) ?? "unknown";
}

/** The block of a client, `/16` or `/32`: one party can have many networks in it. */
export function toBlockKey(address: string): string {
  return toPrefix(address, BLOCK_BITS) ?? "unknown";
}

/** Whether what `toStoredAddress` made of an address lies in a network. With AUDIT_FULL_IP it is the whole address. */
export function isStoredOf(network: string, stored: string | null): boolean {
  return stored === network || toNetworkKey(stored ?? "") === network;
}

/** Whether an address is of this machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.some((network) => networkHas(network, address));
}

/** Whether a host, without a port, is a name or an address of this machine: `localhost`, `127.0.0.1`, `[::1]`. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || isLoopback(bareHost(host));
}
