/** The host without the brackets of an IPv6 address in a URL: `[::1]` → `::1`. Any other host is returned as it is. */
export function bareHost(host: string): string {
  return /^\[(.*)\]$/.exec(host)?.[1] ?? host;
}

/** The host as in a URL: an IPv6 address has brackets. */
export function urlHost(host: string): string {
  const bare = bareHost(host);
  return bare.includes(":") ? `[${bare}]` : bare;
}

/** Whether an entry of a list of hosts is `name` or `name:port`. */
export function isHostEntry(entry: string): boolean {
  return /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(entry);
}
