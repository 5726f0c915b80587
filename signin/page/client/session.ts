import { signal } from "@preact/signals";
import { SigninError } from "../../client/errors.ts";
import { SigninServer } from "../../client/server.ts";
import type { ProofWay } from "../../errors.ts";
import type { AccessResponse, TokenResponse } from "../../tokens/wire.ts";

/** The tokens of a sign-in; one by passkey has its refresh token in the cookie. */
export type Tokens = AccessResponse & Partial<Pick<TokenResponse, "refresh_token">>;

/** A question for a fresh proof of the account, in one of these ways. */
export interface ProofRequest {
  ways: readonly ProofWay[];
  settle(isProven: boolean): void;
}

export const proofRequest = signal<ProofRequest | undefined>(undefined);
/** Whether there is a session: of this tab, or else by the cookie of the browser. */
export const isSignedIn = signal(false);

// A sign-in by password has no cookie: its refresh token stays in this tab until the tab closes.
const STORED = "signin.refresh_token";

const server = new SigninServer({
  baseUrl: location.origin,
  storage: sessionStorage,
  storageKey: STORED,
  cookie: true,
});

/** Restores a session of this browser. @throws SigninError if the server sends no response */
export async function resumeSession(): Promise<void> {
  isSignedIn.value = (await server.accessToken()) !== undefined;
}

/** After a browser sign-in: uses its cookie, and drops the tab's former token. */
export function forgetTab(): void {
  sessionStorage.removeItem(STORED);
}

/** Begins the session of a sign-in. Calls wait for it. */
export function beginSession({ access_token, expires_in, refresh_token }: Tokens): void {
  isSignedIn.value = true;
  const tokens = { accessToken: access_token, expiresIn: expires_in, refreshToken: refresh_token };
  void server.keep(tokens);
}

/** Drops a session that the server has ended. */
export async function endSession(): Promise<void> {
  isSignedIn.value = false;
  await server.forget();
}

/**
 * A call with the session's token, if there is one. If the server wants a fresh proof, the page asks the user for it and makes
 * the call again. @throws SigninError
 */
export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  try {
    return await send<Answer>(method, path, body);
  } catch (error) {
    const isAsked = error instanceof SigninError && error.code === "reauthentication_required";
    // The names are the server's.
    const ways = isAsked ? ((error.ways ?? []) as readonly ProofWay[]) : [];
    if (!(await askForProof(ways))) throw error;
    return send<Answer>(method, path, body);
  }
}

async function send<Answer>(method: string, path: string, body: unknown): Promise<Answer> {
  const hasSession = isSignedIn.peek();
  const request = { method, path, body: body === undefined ? undefined : JSON.stringify(body) };
  try {
    // The type is the server's wire.
    return (await server.request(request, hasSession)) as Answer;
  } catch (error) {
    if (hasSession) isSignedIn.value = server.hasAccess;
    throw error;
  }
}

/** Whether this browser has passkeys here. Browsers refuse them on an IP address. */
export function canUsePasskeys(): boolean {
  const isAddress = /^(\[.*\]|[\d.]+)$/.test(location.hostname);
  if (isAddress || typeof PublicKeyCredential !== "function") return false;
  return typeof PublicKeyCredential.parseRequestOptionsFromJSON === "function";
}

/** Resolves to whether the server has a fresh proof now. */
async function askForProof(ways: readonly ProofWay[]): Promise<boolean> {
  const usable = ways.filter((way) => way !== "passkey" || canUsePasskeys());
  if (usable.length === 0) return false;
  proofRequest.value?.settle(false);
  return new Promise((resolve) => {
    const settle = (isProven: boolean) => {
      proofRequest.value = undefined;
      resolve(isProven);
    };
    proofRequest.value = { ways: usable, settle };
  });
}
