import { signal } from "@preact/signals";
import { clientOf, type EngineClient } from "../../client/client.ts";
import type { Address } from "../../client/endpoint.ts";
import { whileShown } from "./shown.ts";
import { waitFor } from "./wait-for.ts";

const UNAUTHORIZED = 401;

// Of this tab alone: another tab needs a link of its own.
const TOKEN_KEY = "roundhouse.token";

const NO_LINK = "This page has no session. A link works once and expires after a minute.";

/** The token, or why the console has none. */
type Session = { state: "closed"; reason: string } | { state: "open"; token: string };

export const session = signal<Session>({ state: "closed", reason: NO_LINK });

/** True since the engine refused the token: it was restarted. Requests wait until there is a new one. */
export const isLocked = signal(false);

/** False since a request got no response. */
export const isReachable = signal(true);

/** How often the engine responded again after an outage. */
export const reconnectCount = signal(0);

/** Whether the stream of changes has been open: what was read before it may miss some. */
export const hearsChanges = signal(false);

// Tabs of this browser that wait for a session.
const tabs = new BroadcastChannel("roundhouse.session");

/** Exchanges the link in the address for the token, or takes the token that this tab has. */
export async function enter(): Promise<void> {
  const link = takeLink();
  const kept = sessionStorage.getItem(TOKEN_KEY);
  if (link !== undefined) await exchange(link);
  else if (kept !== null) open(kept);
  // A link that is pasted into the address of this page loads nothing.
  addEventListener("hashchange", () => {
    const pasted = takeLink();
    if (pasted !== undefined) void exchange(pasted);
  });
  tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isLocked.value && typeof data === "string") open(data);
  };
}

/** A link that is refused ends no session: any page can open this one with words of its own in its address. */
async function exchange(link: string): Promise<void> {
  const { token, error } = await redeem(link);
  if (typeof token === "string") {
    open(token);
    tabs.postMessage(token);
  } else if (session.value.state !== "open") {
    session.value = { state: "closed", reason: typeof error === "string" ? error : NO_LINK };
  }
}

function open(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  session.value = { state: "open", token };
  isLocked.value = false;
}

/** The client stays the same over sessions, so that pages keep what they show and what was typed. */
export const engine = createEngine();

/** One more client of this session; its disposal ends what it follows. */
export function createEngine(): EngineClient {
  return clientOf({ current, renew, streaming: whileShown }, { fetch: watchedFetch });
}

/** Sends a request, and notes whether the engine responds and takes the token. */
async function watchedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init).catch((error: unknown) => {
    if (!init?.signal?.aborted) isReachable.value = false;
    throw error;
  });
  if (!isReachable.value) reconnectCount.value += 1;
  isReachable.value = true;
  if (response.ok && /\/changes(\?|$)/.test(String(input))) hearsChanges.value = true;
  // A late answer to the former token says nothing of the present one.
  const isPresent = new Headers(init?.headers).get("Authorization") === `Bearer ${currentToken()}`;
  if (response.status === UNAUTHORIZED && isPresent) {
    sessionStorage.removeItem(TOKEN_KEY);
    isLocked.value = true;
  }
  return response;
}

function current(): Address {
  return { baseUrl: `${location.origin}/api/v1`, token: currentToken() };
}

/** Empty before the session is open. */
function currentToken(): string {
  const { value } = session;
  return value.state === "open" ? value.token : "";
}

/** Where the engine refused this session: waits for the next one, with which the request is sent once more. */
async function renew({ token }: Address): Promise<Address | undefined> {
  if (isLocked.value && currentToken() === token) await waitFor(() => !isLocked.value);
  return currentToken() === token ? undefined : current();
}

/** The link, which leaves the address at once: it must not stay in the history. Routes begin with `#/`. */
function takeLink(): string | undefined {
  const fragment = location.hash.slice(1);
  if (fragment === "" || fragment.startsWith("/")) return undefined;
  history.replaceState(null, "", location.pathname);
  return fragment;
}

/** The token, or why there is none. */
async function redeem(link: string): Promise<{ token?: unknown; error?: unknown }> {
  try {
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ link });
    return await (await fetch("session", { method: "POST", headers, body })).json();
  } catch (error) {
    return { error: error instanceof Error && error.message };
  }
}
