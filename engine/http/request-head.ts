import type { IncomingMessage } from "node:http";
import type { Logger } from "../../shared/log.ts";
import { rawHeader, targetAuthority } from "../../shared/node/raw-request.ts";
import { invalid } from "../errors.ts";
import { toResponse } from "./errors.ts";
import type { Guard, RequestHead } from "./guard.ts";

/** What the guard checks of a request without a `Request` object: an upgrade, or an invalid one. */
export function requestHead(incoming: IncomingMessage): RequestHead {
  return {
    host: rawHeader(incoming, "host"),
    origin: rawHeader(incoming, "origin"),
    authority: targetAuthority(incoming),
  };
}

/** The response to an invalid request: the guard's refusal, if there is one, else 400. */
export function unreadableResponse(incoming: IncomingMessage, guard: Guard, log: Logger): Response {
  const refused = guard.checkHostAndOrigin(requestHead(incoming));
  return toResponse(refused ?? invalid("The request is not valid."), log);
}
