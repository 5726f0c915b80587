import { EngineError } from "./errors.ts";

/** The address of an engine, and its bearer token. */
export interface Address {
  /** With `/api/v1`, and no slash at its end. */
  baseUrl: string;
  token: string;
}

/** A token, or what gives one: it is asked again when the engine refuses the last one. */
export type Token = string | (() => string | Promise<string>);

/** How a client finds its engine, also after a restart. */
export interface Endpoint {
  /** @throws what the function of the token throws */
  current(): Address | Promise<Address>;
  /**
   * The address after a request to `failed` was refused (401) or got no response; undefined if it is still the same.
   * @throws EngineNotRunning if no engine runs; what the function of the token throws
   */
  renew?(failed: Address, reason: "refused" | "unreachable"): Promise<Address | undefined>;
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
export function fixedEndpoint(options: { baseUrl: string; token: Token }): Endpoint {
  const baseUrl = toApiUrl(options.baseUrl);
  const { token } = options;
  if (typeof token === "string") return { current: () => ({ baseUrl, token }) };
  let asked: Promise<Address> | undefined;
  const ask = () => {
    const address = (async () => ({ baseUrl, token: await token() }))();
    asked = address;
    // The next request asks again.
    address.catch(() => {
      if (asked === address) asked = undefined;
    });
    return address;
  };
  const current = () => asked ?? ask();
  return {
    current,
    async renew(failed, reason) {
      if (reason === "unreachable") return undefined;
      const before = current();
      const known = await before;
      // Another request may have asked meanwhile.
      return asked === before && known === failed ? ask() : current();
    },
  };
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
