/** Who made a request, as far as a server can see. */
export interface ClientInfo {
  /** The id that the answer's error body carries, too. */
  requestId: string;
  /** The client's address, after trusted proxies; empty where nothing is known. Shortened before it is stored. */
  address: string;
  userAgent: string;
}
