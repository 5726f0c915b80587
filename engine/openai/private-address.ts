import { lookup } from "node:dns/promises";
import ipaddr from "ipaddr.js";
import { bareHost } from "../../shared/host.ts";

/** Whether a host is in a network of its own: not on the Internet, or nowhere that is known. */
export async function isPrivateAddress(host: string): Promise<boolean> {
  const bare = bareHost(host);
  if (ipaddr.isValid(bare)) return !isPublic(bare);
  try {
    const found = await lookup(bare, { all: true });
    return found.some(({ address }) => !isPublic(address));
  } catch {
    return true;
  }
}

function isPublic(address: string): boolean {
  return ipaddr.process(address).range() === "unicast";
}
