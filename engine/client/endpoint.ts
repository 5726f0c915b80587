import { EngineError } from "./errors.ts";

/** The address of an engine, and its bearer token. */
export interface Address {
  /** With `/api/v1`, and no slash at its end. */
  baseUrl: string;
  token: string;
}

/** How a client finds its engine, also after a restart. */
export interface Endpoint {
  current(): Address;
  /**
   * The address after a request to `failed` was refused or got no response; undefined if it is still the same.
   * @throws EngineError if no engine runs.
   */
  renew?(failed: Address): Promise<Address | undefined>;
  /**
   * Resolves once streams may be open, with what ends them until they may be again: a browser has few connections for all its
   * tabs. By default they always may.
   */
  streaming?(until: AbortSignal): Promise<AbortSignal>;
}

/**
 * An endpoint that stays. `baseUrl` may end with `/api/v1`.
 * @throws EngineError if it is no address
 */
export function fixedEndpoint({ baseUrl, token }: Address): Endpoint {
  const address = { baseUrl: toApiUrl(baseUrl), token };
  return { current: () => address };
}

/** `http://127.0.0.1:7717/` → `http://127.0.0.1:7717/api/v1` */
function toApiUrl(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) {
    const message = "baseUrl: must be the address of an engine, such as http://127.0.0.1:7717.";
    throw new EngineError(message, { status: 0 });
  }
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.split("/").filter(Boolean).join("/");
  const prefix = /(^|\/)api\/v1$/.test(path) ? path : [path, "api/v1"].filter(Boolean).join("/");
  return `${origin}/${prefix}`;
}
