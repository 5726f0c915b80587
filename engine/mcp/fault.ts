import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { redactText } from "../../shared/log.ts";
import { systemErrorCodes } from "../../shared/system-error.ts";
import type { ForeignText } from "./foreign-text.ts";
import { ServerFault } from "./guarded-fetch.ts";
import { MCP_PROBLEM_CHARACTERS_MAX } from "./limits.ts";

const CAUSES_MAX = 8;

/** Any failure of a connection in one sentence for people and models: no header, no stack, no terminal escape. */
export function toServerFault(error: unknown, foreign: ForeignText): ServerFault {
  return (
    causes(error).find((cause) => cause instanceof ServerFault) ??
    new ServerFault(describe(error, foreign))
  );
}

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  let next = error;
  while (next instanceof Error && found.length < CAUSES_MAX) {
    found.push(next);
    next = next.cause;
  }
  return found;
}

// `fetch` gives a TypeError without a code for ports that it does not use.
function isFetchFailure(error: Error): boolean {
  return error instanceof TypeError && error.message === "fetch failed";
}

function describe(error: unknown, foreign: ForeignText): string {
  if (error instanceof UnauthorizedError) return refused(401);
  if (error instanceof SdkHttpError) {
    const { status } = error;
    return status === 401 || status === 403
      ? refused(status)
      : `The server answered with the HTTP status ${status}.`;
  }
  if (error instanceof ProtocolError) {
    const said = foreign.clean(error.message, MCP_PROBLEM_CHARACTERS_MAX);
    return `The server reports: ${redactText(said)}`;
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return "The server did not respond in time.";
  }
  const code = systemErrorCodes(error).find((found) =>
    /^(E[A-Z0-9]+|UND_ERR_[A-Z_]+)$/.test(found),
  );
  if (code !== undefined) return `The server cannot be reached (${code}).`;
  if (causes(error).some(isFetchFailure)) return "The server cannot be reached.";
  return "The server's response does not follow the Model Context Protocol.";
}

function refused(status: number): string {
  return `The server refused the request (HTTP ${status}). Check the headers in the auth configuration of this tool.`;
}
