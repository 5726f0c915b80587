import { BlockList, isIPv4, isIPv6 } from "node:net";

/** `[::1]` → `::1`; anything else as it is. */
export function bareHost(host: string): string {
  return /^\[(.*)\]$/.exec(host)?.[1] ?? host;
}

/** Whether a name or address can only mean this machine: `localhost`, 127.0.0.0/8, `::1`. */
export function isLoopbackHost(host: string): boolean {
  const bare = bareHost(host);
  if (isIPv4(host)) return host.startsWith("127.");
  if (isIPv6(bare)) return loopback6().check(bare, "ipv6");
  return bare.toLowerCase() === "localhost" && bare === host;
}

function loopback6(): BlockList {
  const list = new BlockList();
  list.addAddress("::1", "ipv6");
  return list;
}
