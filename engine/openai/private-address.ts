import { lookup } from "node:dns/promises";
import { bareHost } from "../../shared/host.ts";

/** Whether a host is in a network of its own: not on the Internet, or nowhere that is known. */
export async function isPrivateAddress(host: string): Promise<boolean> {
  const bare = bareHost(host);
  const { default: ipaddr } = await import("ipaddr.js");
  const isPublic = (address: string) => ipaddr.process(address).range() === "unicast";
  if (ipaddr.isValid(bare)) return !isPublic(bare);
  try {
    const found = await lookup(bare, { all: true });
    return found.some(({ address }) => !isPublic(address));
  } catch {
    return true;
  }
}
