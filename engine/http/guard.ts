import { equalsConstantTime } from "../../shared/constant-time.ts";
import type { Logger } from "../../shared/log.ts";
import { type EngineError, forbidden } from "../errors.ts";
import { ORIGIN_CHARACTERS_LOGGED_MAX, REFUSED_ORIGINS_LOGGED_MAX } from "../limits.ts";

/** What the guard checks. Repeated headers are joined with a comma, as in `Headers`. */
export interface RequestHead {
  host: string | null;
  origin: string | null;
  /** Host and port of the URL: an absolute-form request target can differ from `Host`. */
  authority?: string;
}

interface GuardOptions {
  host: string;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  /** Gets a line for each refused origin, since a browser hides the reason from its page. */
  log?: Logger;
}

const SCHEME = "Bearer ";
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const HTTP_PORT = 80;
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\]]*[^\s:@/?#[\].])(?::(\d{1,5}))?$/;

/**
 * The outermost guard, on HTTP and on the WebSocket upgrade. Rejects web pages that reach the port by their own host name
 * (DNS rebinding) or from their own origin. Rejects everything until it knows the port.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #hosts = new Set<string>();
  readonly #ownOrigins = new Set<string>();
  readonly #listedOrigins: ReadonlySet<string>;
  readonly #loggedOrigins = new Set<string>();

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#listedOrigins = new Set(options.allowedOrigins);
  }

  /** Call it once the server listens: `Host` and `Origin` must name the real port. */
  listensOn(port: number): void {
    for (const name of [...LOOPBACK_NAMES, this.#options.host]) {
      this.#hosts.add(`${name.toLowerCase()}:${port}`);
      this.#ownOrigins.add(`http://${name.toLowerCase()}${port === HTTP_PORT ? "" : `:${port}`}`);
    }
    for (const listed of this.#options.allowedHosts) this.#hosts.add(withPort(listed, port));
  }

  /** Undefined if the request may continue, else the 403. */
  checkHostAndOrigin({ host, origin, authority }: RequestHead): EngineError | undefined {
    if (host === null || !this.#isAllowedHost(host)) {
      return forbidden("The Host header does not name this engine.");
    }
    if (authority !== undefined && authority !== host && !this.#isAllowedHost(authority)) {
      return forbidden("The request URL does not name this engine.");
    }
    if (origin !== null && !this.#ownOrigins.has(origin) && !this.#listedOrigins.has(origin)) {
      this.#logRefused(origin);
      return forbidden("This origin may not use the engine.");
    }
    return undefined;
  }

  /** Whether pages of this origin may read responses. */
  isListedOrigin(origin: string | null): origin is string {
    return origin !== null && this.#listedOrigins.has(origin);
  }

  /** Logs each origin once, and a bounded number of them. */
  #logRefused(origin: string): void {
    const shown = origin.slice(0, ORIGIN_CHARACTERS_LOGGED_MAX);
    const logged = this.#loggedOrigins;
    if (logged.has(shown) || logged.size >= REFUSED_ORIGINS_LOGGED_MAX) return;
    logged.add(shown);
    const message = "A page of this origin was refused. ENGINE_ALLOWED_ORIGINS can allow it.";
    this.#options.log?.warn({ origin: shown }, message);
  }

  #isAllowedHost(host: string): boolean {
    return this.#hosts.has(host) || this.#hosts.has(withPort(host, HTTP_PORT));
  }
}

/** `name:port` in lower case. An empty string for an invalid host, such as a name that ends in a dot. */
function withPort(host: string, defaultPort: number): string {
  const [, name, port] = HOST.exec(host.toLowerCase()) ?? [];
  return name === undefined ? "" : `${name}:${Number(port ?? defaultPort)}`;
}

/** The check of the runtime token, in constant time (Engine §5). */
export class BearerCheck {
  /** For the console alone, which gives it to a page that has a link. */
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  /** Whether an `Authorization` header is exactly `Bearer <token>`. A repeated header arrives joined, so it is not. */
  acceptsHeader(authorization: string | null): boolean {
    if (authorization === null || !authorization.startsWith(SCHEME)) return false;
    return this.acceptsToken(authorization.slice(SCHEME.length));
  }

  acceptsToken(given: string): boolean {
    return equalsConstantTime(given, this.token);
  }
}
