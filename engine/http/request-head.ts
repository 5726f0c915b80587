import type { IncomingMessage } from "node:http";
import type { Logger } from "../../shared/log.ts";
import { rawHeader, targetAuthority } from "../../shared/node/raw-request.ts";
import { invalid } from "../errors.ts";
import { toResponse } from "./errors.ts";
import type { Guard, RequestHead } from "./guard.ts";

/** What the guard looks at, of a request that is no `Request`: an upgrade, or one that cannot become one. */
export function requestHead(incoming: IncomingMessage): RequestHead {
  return {
    host: rawHeader(incoming, "host"),
    origin: rawHeader(incoming, "origin"),
    authority: targetAuthority(incoming),
  };
}

/** The answer to what cannot become a `Request`: the guard's, where it has one. */
export function unreadableResponse(incoming: IncomingMessage, guard: Guard, log: Logger): Response {
  const refused = guard.checkHostAndOrigin(requestHead(incoming));
  return toResponse(refused ?? invalid("The request is not valid."), log);
}
