import type { Language } from "../texts/languages.ts";

/** The client of a request, as the server sees it. */
export interface ClientInfo {
  /** The id in `X-Request-Id`, the log and the body of an error. */
  requestId: string;
  /** The client's address behind trusted proxies; empty if it is unknown. Shortened before it is stored. */
  address: string;
  userAgent: string;
  /** Of mails that the request causes. */
  language: Language;
}
