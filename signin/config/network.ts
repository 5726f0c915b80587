/** A range of IP addresses. IPv4 is kept in its IPv6 form, so that `::ffff:10.0.0.1` is 10.0.0.1. */
export interface Network {
  bytes: readonly number[];
  prefixBits: number;
}

/** `10.0.0.0/8`, `::1`; undefined where the text is neither an address nor a CIDR. */
export function parseNetwork(text: string): Network | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const bytes = parseAddress(address);
  if (!bytes || rest.length > 0) return undefined;
  const isV4 = !address.includes(":");
  if (bits === undefined) return { bytes, prefixBits: 128 };
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > (isV4 ? 32 : 128)) return undefined;
  return { bytes, prefixBits: Number(bits) + (isV4 ? 96 : 0) };
}

/** Whether the address lies in the network. */
export function networkHas(network: Network, address: string): boolean {
  const bytes = parseAddress(address);
  if (!bytes) return false;
  for (let bit = 0; bit < network.prefixBits; bit += 1) {
    const at = bit >> 3;
    const mask = 0x80 >> (bit & 7);
    if (((bytes[at] ?? 0) & mask) !== ((network.bytes[at] ?? 0) & mask)) return false;
  }
  return true;
}

/**
 * The address without its host part, as `203.0.113.0/24` or `2001:db8:1::/48`; undefined where it is no address.
 * The audit trail stores this alone.
 */
export function toPrefix(address: string, bits: { v4: number; v6: number }): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return undefined;
  const isV4 = isMappedV4(bytes);
  const kept = isV4 ? bits.v4 + 96 : bits.v6;
  const masked = bytes.map(
    (byte, at) => byte & (0xff00 >> Math.min(8, Math.max(0, kept - at * 8))),
  );
  if (isV4) return `${masked.slice(12).join(".")}/${bits.v4}`;
  const groups = Array.from({ length: 8 }, (_, at) =>
    (((masked[at * 2] ?? 0) << 8) | (masked[at * 2 + 1] ?? 0)).toString(16),
  );
  return `${withoutLastZeros(groups)}/${bits.v6}`;
}

/** The groups of an IPv6 address; two or more zeros at their end become `::`. */
function withoutLastZeros(groups: readonly string[]): string {
  const kept = groups.findLastIndex((group) => group !== "0") + 1;
  if (groups.length - kept < 2) return groups.join(":");
  return `${groups.slice(0, kept).join(":")}::`;
}

/** Sixteen bytes, or undefined. Only the plain forms: no octal, no zone. */
export function parseAddress(text: string): number[] | undefined {
  if (!text.includes(":")) {
    const v4 = parseV4(text);
    return v4 ? [...new Array(10).fill(0), 255, 255, ...v4] : undefined;
  }
  const tail = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const v4 = tail?.[2] === undefined ? undefined : parseV4(tail[2]);
  if (tail && !v4) return undefined;
  const hex = v4 ? `${tail?.[1]}${toGroup(v4[0], v4[1])}:${toGroup(v4[2], v4[3])}` : text;
  const halves = hex.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], end = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - end.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...new Array(halves.length === 1 ? 0 : missing).fill("0"), ...end];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap((group) => [
    Number.parseInt(group, 16) >> 8,
    Number.parseInt(group, 16) & 255,
  ]);
}

function parseV4(text: string): number[] | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part)))
    return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte < 256) ? bytes : undefined;
}

function toGroup(high = 0, low = 0): string {
  return ((high << 8) | low).toString(16);
}

/** Whether sixteen bytes are an IPv4 address in its IPv6 form. */
export function isMappedV4(bytes: readonly number[]): boolean {
  return bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
}
