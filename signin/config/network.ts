import ipaddr, { type IPv6 } from "ipaddr.js";

/** A range of IP addresses. IPv4 is kept in its IPv6 form, so that `::ffff:10.0.0.1` is 10.0.0.1. */
export interface Network {
  address: IPv6;
  prefixBits: number;
}

const MAPPED_BITS = 96;

/** `10.0.0.0/8`, `::1`; undefined if the text is neither an address nor a CIDR. */
export function parseNetwork(text: string): Network | undefined {
  const [written = "", bits, ...rest] = text.split("/");
  const address = parseAddress(written);
  if (!address || rest.length > 0) return undefined;
  const isV4 = !written.includes(":");
  if (bits === undefined) return { address, prefixBits: 128 };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (isV4 ? 32 : 128)) return undefined;
  return { address, prefixBits: Number(bits) + (isV4 ? MAPPED_BITS : 0) };
}

/** Whether the address lies in the network. */
export function networkHas(network: Network, address: string): boolean {
  return parseAddress(address)?.match(network.address, network.prefixBits) ?? false;
}

/**
 * The address without its host part, as `203.0.113.0/24` or `2001:db8:1::/48`; undefined if it is no address.
 * The audit trail stores this alone.
 */
export function toPrefix(text: string, bits: { v4: number; v6: number }): string | undefined {
  const address = parseAddress(text);
  if (!address) return undefined;
  const isV4 = address.isIPv4MappedAddress();
  const plain = isV4 ? address.toIPv4Address() : address;
  const cidr = `${plain}/${isV4 ? bits.v4 : bits.v6}`;
  const kind = isV4 ? ipaddr.IPv4 : ipaddr.IPv6;
  return cidr.replace(/^.*(?=\/)/, String(kind.networkAddressFromCIDR(cidr)));
}

/** Undefined for all but the plain forms: no octal, no zone. */
export function parseAddress(text: string): IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text).toIPv4MappedAddress();
  }
  return text.includes("%") || !ipaddr.IPv6.isValid(text) ? undefined : ipaddr.IPv6.parse(text);
}

/** Whether an entry is an address or a CIDR. */
export function isNetwork(text: string): boolean {
  return parseNetwork(text) !== undefined;
}

/** Whether a network is wider than the private ones: 10.0.0.0/8 and fc00::/7 are the widest of them. */
export function isTooWide(text: string): boolean {
  const network = parseNetwork(text);
  if (!network) return false;
  // An IPv4 network is kept as ::ffff:0:0/96 and narrower.
  const isV4 = network.prefixBits >= 96 && network.address.isIPv4MappedAddress();
  if (isV4) return network.prefixBits < 96 + 8;
  return network.prefixBits < 7 || networkHas(network, "0.0.0.0");
}
