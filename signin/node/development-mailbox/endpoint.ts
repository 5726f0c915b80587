import type { Signin } from "../../app.ts";
import { isLoopback, isLoopbackHost } from "../../audit/address.ts";
import type { SigninConfig } from "../../config/config.ts";
import type { RequestOrigin } from "../../deps.ts";
import { completeHeaders } from "../../http/headers.ts";
import type { Mailbox } from "./mailbox.ts";
import { MAILBOX_SCRIPT, MAILBOX_STYLE } from "./page.generated.ts";
import { listPage, mailPage, toJson } from "./pages.ts";

const PATH = "/dev/mail";
// A tunnel or a proxy of this machine connects from loopback, too, and adds one of these. A browser sends none.
const FORWARDING =
  /^(forwarded|via|x-forwarded-|x-real-ip$|x-client-ip$|x-cluster-client-ip$|x-original-|x-envoy-|true-client-ip$|cf-|fly-|fastly-)/;

/**
 * `GET /dev/mail` and `GET /dev/mail/{id}` before the app, for a browser or a program of this machine. Every other request goes
 * to the app, where these paths are unknown.
 */
export function serveMailbox(
  config: SigninConfig,
  mailbox: Mailbox | undefined,
  fetch: Signin["fetch"],
): Signin["fetch"] {
  if (mailbox === undefined) return fetch;
  return async (request, origin = {}) => {
    const response = isOfThisMachine(request, origin)
      ? answer(config, mailbox, request)
      : undefined;
    if (response === undefined) return fetch(request, origin);
    // For `<script src>` and `<img src>` of a page elsewhere, which need no leave to read.
    response.headers.set("Cross-Origin-Resource-Policy", "same-origin");
    const isHead = request.method === "HEAD";
    return completeHeaders(config, isHead ? new Response(null, response) : response, {
      request,
      requestId: crypto.randomUUID(),
    });
  };
}

/** The address for a browser of this machine; undefined if the server does not listen on loopback. */
export function mailboxUrl({ baseUrl, listen }: SigninConfig): string | undefined {
  const own = new URL(baseUrl);
  const isDirect = own.protocol === "http:" && Number(own.port || 80) === listen.port;
  if (isDirect && isLoopbackHost(own.hostname)) return `${own.origin}${PATH}`;
  const host = ["0.0.0.0", "[::]"].includes(listen.host) ? "127.0.0.1" : listen.host;
  return isLoopbackHost(host) ? `http://${host}:${listen.port}${PATH}` : undefined;
}

/** The host, too: a page of a name that begins to resolve to 127.0.0.1 could read the codes otherwise (DNS rebinding). */
function isOfThisMachine({ url, headers }: Request, { address, host }: RequestOrigin): boolean {
  const hosts = [new URL(url).host, host ?? headers.get("host") ?? ""];
  return (
    isLoopback(address ?? "") &&
    hosts.every((each) => isLoopbackHost(each.toLowerCase().replace(/:\d{1,5}$/, ""))) &&
    ![...headers.keys()].some((name) => FORWARDING.test(name))
  );
}

/** Undefined for what is not here. */
function answer(
  config: SigninConfig,
  mailbox: Mailbox,
  { method, url, headers }: Request,
): Response | undefined {
  const { pathname } = new URL(url);
  if (method !== "GET" && method !== "HEAD") return undefined;
  const wantsJson = (headers.get("accept") ?? "").includes("application/json");
  switch (pathname) {
    case PATH:
      if (wantsJson) return vary(Response.json({ mails: mailbox.list().map(toJson) }));
      return vary(listPage(config, mailbox.list()));
    case `${PATH}/style.css`:
      return file(MAILBOX_STYLE, "text/css");
    case `${PATH}/script.js`:
      return file(MAILBOX_SCRIPT, "text/javascript");
  }
  const mail = pathname.startsWith(`${PATH}/`)
    ? mailbox.find(pathname.slice(PATH.length + 1))
    : undefined;
  if (!mail) return undefined;
  return vary(wantsJson ? Response.json(toJson(mail)) : mailPage(config, mail));
}

function vary(response: Response): Response {
  response.headers.set("Vary", "Accept");
  return response;
}

function file(text: string, type: string): Response {
  return new Response(text, { headers: { "Content-Type": `${type}; charset=utf-8` } });
}
