import { signal } from "@preact/signals";
import { createClient, type EngineClient } from "../../client/client.ts";
import { watchedFetch } from "./connection.ts";

// Of this tab alone: another tab needs a link of its own.
const TOKEN_KEY = "roundhouse.token";

/** What the console shows before it has an engine: that it opens, or why it cannot. */
export type Session =
  | { state: "opening" }
  | { state: "closed"; reason: string }
  | { state: "open"; engine: EngineClient; token: string };

export const session = signal<Session>({ state: "opening" });

const NO_LINK = "This page has no session. Each link opens the console once, within a minute.";
const RESTARTED = "The engine was restarted, so this session has ended.";

/** Exchanges the link in the address for the token, or takes the token that this tab has. */
export async function enter(): Promise<void> {
  const link = takeLink();
  const kept = sessionStorage.getItem(TOKEN_KEY);
  if (link === undefined && kept === null) return close(NO_LINK);
  try {
    use(link === undefined ? (kept ?? "") : await exchange(link));
  } catch (error) {
    close(error instanceof Error ? error.message : NO_LINK);
  }
}

/** The engine refused the token: it has another one since it was restarted. */
function endSession(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  close(RESTARTED);
}

function use(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
  const engine = createClient({
    baseUrl: location.origin,
    token,
    fetch: watchedFetch(endSession),
  });
  session.value = { state: "open", engine, token };
}

function close(reason: string): void {
  session.value = { state: "closed", reason };
}

/** The link, which leaves the address at once: it must not stay in the history. Routes begin with `#/`. */
function takeLink(): string | undefined {
  const fragment = location.hash.slice(1);
  if (fragment === "" || fragment.startsWith("/")) return undefined;
  history.replaceState(null, "", location.pathname);
  return fragment;
}

async function exchange(link: string): Promise<string> {
  const response = await fetch("session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ link }),
  });
  const body: { token?: unknown; error?: unknown } = await response.json();
  if (typeof body.token === "string") return body.token;
  throw new Error(typeof body.error === "string" ? body.error : NO_LINK);
}
