import { isIPv4, isIPv6, SocketAddress } from "node:net";
import { bareHost } from "../../shared/host.ts";

/** Whether a name or address always means this machine: `localhost`, 127.0.0.0/8, `::1`. */
export function isLoopbackHost(host: string): boolean {
  const bare = bareHost(host);
  if (isIPv4(host)) return host.startsWith("127.");
  if (isIPv6(bare)) return new SocketAddress({ address: bare, family: "ipv6" }).address === "::1";
  return bare.toLowerCase() === "localhost" && bare === host;
}
