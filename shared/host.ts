/** The host without the brackets of an IPv6 address in a URL: `[::1]` → `::1`. Any other host is returned as it is. */
export function bareHost(host: string): string {
  return /^\[(.*)\]$/.exec(host)?.[1] ?? host;
}
