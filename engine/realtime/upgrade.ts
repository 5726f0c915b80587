import { type EngineError, failure } from "../errors.ts";
import { API_PREFIX } from "../http/pipeline.ts";

const SOCKET_PATH = `${API_PREFIX}/events`;
const BEARER_VALUE = /^bearer\s+\S/i;

/** The parts of an upgrade request that are checked. */
interface UpgradeRequest {
  /** The request target: a path, or a whole URL. */
  target: string;
  authorization: string | null;
}

/** The check of the runtime token, see `http/bearer.ts`. */
interface TokenCheck {
  acceptsHeader(authorization: string | null): boolean;
  acceptsToken(token: string): boolean;
}

/**
 * Decides on a handshake that passed the guard: a socket; a socket that is closed at once with 4401, so that its client
 * gets the reason; or, on another path, an HTTP error.
 */
export function decideUpgrade(
  { target, authorization }: UpgradeRequest,
  bearer: TokenCheck,
): "open" | "unauthorized" | EngineError {
  const url = URL.parse(target, "http://localhost");
  if (url?.pathname !== SOCKET_PATH) {
    return bearer.acceptsHeader(authorization) ? failure("not_found") : failure("unauthorized");
  }
  return isAuthorized(url, authorization, bearer) ? "open" : "unauthorized";
}

// A supplied bearer decides, even if it is wrong (Engine §5, authentication 5).
function isAuthorized(url: URL, authorization: string | null, bearer: TokenCheck): boolean {
  if (authorization !== null && BEARER_VALUE.test(authorization)) {
    return bearer.acceptsHeader(authorization);
  }
  const token = url.searchParams.get("token");
  return token !== null && bearer.acceptsToken(token);
}
