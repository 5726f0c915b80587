import { z } from "zod";
import { readJsonBody } from "../../shared/http/json-body.ts";
import type { EngineDeps } from "../deps.ts";
import { EngineError, forbidden, invalid, methodNotAllowed, tooLarge } from "../errors.ts";
import { type Connection, isOwnAccount } from "../http/own-account.ts";
import { SESSION_BODY_BYTES_MAX } from "./limits.ts";
import type { ConsoleLinks } from "./links.ts";

/** Where the page is; every file of it is below. */
export const CONSOLE_PATH = "/console/";

const SESSION_PATH = `${CONSOLE_PATH}session`;

type ConsoleDeps = Pick<EngineDeps, "bearer" | "log">;

const SessionRequest = z.object({ link: z.string() });

const PROTECTION = {
  "Cache-Control": "no-store",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/**
 * The console: its files, and `POST /console/session`, where a page exchanges a link for the token. It is outside of the
 * API, so no bearer is checked, and no other origin may read it.
 */
export function createConsole(deps: ConsoleDeps, links: ConsoleLinks) {
  return {
    /** Whether the path of a request belongs to the console. */
    serves: (path: string) => path.startsWith(CONSOLE_PATH) || `${path}/` === CONSOLE_PATH,
    /** Without a connection, a request comes from this process. @throws EngineError */
    async fetch(request: Request, path: string, connection?: Connection): Promise<Response> {
      if (path === SESSION_PATH) return createSession(deps, links, { request, connection });
      const file = await readFile(path, new URL(request.url).host);
      if (!file) throw new EngineError("not_found");
      if (request.method === "HEAD") return new Response(null, file);
      if (request.method !== "GET") throw methodNotAllowed(["GET", "HEAD"]);
      return file;
    },
  };
}

async function createSession(
  { bearer, log }: ConsoleDeps,
  links: ConsoleLinks,
  { request, connection }: { request: Request; connection: Connection | undefined },
): Promise<Response> {
  if (request.method !== "POST") throw methodNotAllowed(["POST"]);
  // Before the link is looked at: a page of another origin or a program of another account cannot use one up.
  requireOwnPage(request);
  // Other accounts of the machine can read the link in the arguments of the browser.
  if (connection && !(await isOwnAccount(connection))) {
    log.warn({}, "A link of the console was refused: it came from another account.");
    const details = "Open the address in a browser of that account.";
    const reason = "Only the account that the engine runs in can open the console.";
    throw new EngineError("forbidden", reason, { details });
  }
  if (!links.redeem(await readLink(request))) {
    log.warn({}, "A link of the console was refused: it was used before, or is too old.");
    const details = "Open the console again: npm run engine -- open";
    const reason = "The link was used before, or is older than a minute.";
    throw new EngineError("unauthorized", reason, { details });
  }
  log.info({}, "A browser opened the console.");
  return Response.json({ token: bearer.token, expiresAt: null }, { headers: PROTECTION });
}

/** A browser states the origin of every POST; without one it is not a page of the console. */
function requireOwnPage({ url, headers }: Request): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = headers.get("origin") === new URL(url).origin;
  if (!isOwn || (site !== null && site !== "same-origin")) {
    throw forbidden("Only the page of the console can open a session.");
  }
}

async function readLink(request: Request): Promise<string> {
  const body = await readJsonBody(request, SESSION_BODY_BYTES_MAX);
  if ("fault" in body) {
    if (body.fault === "too_large") throw tooLarge("The body is larger than 1 KiB.");
    throw invalid("The request is not valid.", 'The body must be JSON: {"link": "…"}.');
  }
  const read = SessionRequest.safeParse(body.value);
  if (!read.success) throw invalid("The request is not valid.", "link: must be text");
  return read.data.link;
}

/** A file of the page; undefined if there is none. The files are loaded at the first request. */
async function readFile(path: string, host: string): Promise<Response | undefined> {
  if (`${path}/` === CONSOLE_PATH) {
    return new Response(null, { status: 308, headers: { ...PROTECTION, Location: CONSOLE_PATH } });
  }
  const { CONSOLE_FILES } = await import("./page.generated.ts");
  const name = path.slice(CONSOLE_PATH.length) || "index.html";
  // A name such as `constructor` is in every object.
  const file = Object.hasOwn(CONSOLE_FILES, name) ? CONSOLE_FILES[name] : undefined;
  if (!file) return undefined;
  const headers = {
    ...PROTECTION,
    "Content-Type": file.type,
    "Content-Security-Policy": contentPolicy(host),
  };
  return new Response(file.text, { headers });
}

/** Scripts and styles are files of the engine alone, and the page has no place for HTML text. */
function contentPolicy(host: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "worker-src 'none'",
    "img-src 'self' blob:",
    `connect-src 'self' ws://${host}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}
