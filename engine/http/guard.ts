import { type EngineError, forbidden } from "../errors.ts";

/** What the guard looks at. Headers that came twice stand joined with a comma, as `Headers` joins them. */
export interface RequestHead {
  host: string | null;
  origin: string | null;
  /** The host and port of the URL asked for: an absolute-form request target can name another one than `Host`. */
  authority?: string;
}

interface GuardOptions {
  host: string;
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
}

const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];
const HTTP_PORT = 80;
const HOST = /^(\[[0-9a-f:.]+\]|[^\s:@/?#[\]]*[^\s:@/?#[\].])(?::(\d{1,5}))?$/;

/**
 * The outermost guard, on HTTP and on the WebSocket upgrade: keeps web pages out that reach the port by a name of their
 * own (DNS rebinding) or from an origin of their own. Lets nothing in before it knows the port.
 */
export class Guard {
  readonly #options: GuardOptions;
  readonly #hosts = new Set<string>();
  readonly #ownOrigins = new Set<string>();
  readonly #listedOrigins: ReadonlySet<string>;

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#listedOrigins = new Set(options.allowedOrigins);
  }

  /** To be called once the server listens: `Host` and `Origin` are held to the real port. */
  listensOn(port: number): void {
    for (const name of [...LOOPBACK_NAMES, this.#options.host]) {
      this.#hosts.add(`${name.toLowerCase()}:${port}`);
      this.#ownOrigins.add(`http://${name.toLowerCase()}${port === HTTP_PORT ? "" : `:${port}`}`);
    }
    for (const listed of this.#options.allowedHosts) this.#hosts.add(withPort(listed, port));
  }

  /** Undefined where the request may go on, else the 403. */
  checkHostAndOrigin({ host, origin, authority }: RequestHead): EngineError | undefined {
    if (host === null || !this.#isAllowedHost(host)) {
      return forbidden("The Host header does not name this engine.");
    }
    if (authority !== undefined && authority !== host && !this.#isAllowedHost(authority)) {
      return forbidden("The address asked for does not name this engine.");
    }
    if (origin !== null && !this.#ownOrigins.has(origin) && !this.#listedOrigins.has(origin)) {
      return forbidden("This origin may not use the engine.");
    }
    return undefined;
  }

  /** Whether pages of this origin may read answers. */
  isListedOrigin(origin: string | null): origin is string {
    return origin !== null && this.#listedOrigins.has(origin);
  }

  #isAllowedHost(host: string): boolean {
    return this.#hosts.has(host) || this.#hosts.has(withPort(host, HTTP_PORT));
  }
}

/** `name:port` in lower case, or the empty string where it is no host: also where the name ends in a dot. */
function withPort(host: string, defaultPort: number): string {
  const [, name, port] = HOST.exec(host.toLowerCase()) ?? [];
  return name === undefined ? "" : `${name}:${Number(port ?? defaultPort)}`;
}
