import {
  linkAccount,
  type ProvenIdentity,
  resolveOrCreateAccount,
} from "../accounts/identities.ts";
import { noticeNewDevice } from "../accounts/new-device.ts";
import { startPending } from "../accounts/pending-identity.ts";
import { findUserOfLiveSession } from "../db/live-session.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure, SigninError } from "../errors.ts";
import { clearedFlowCookie, flowCookieName, refreshCookie } from "../http/cookies.ts";
import { STATE_CHARACTERS_MAX } from "../limits.ts";
import { issueNativeCode } from "../native/exchange.ts";
import { withParameters } from "../native/loopback.ts";
import type { LoginProvider } from "../providers/provider.ts";
import { issueRefreshToken } from "../tokens/issue-session.ts";
import { type Flow, hashState, readFlow, useFlow } from "./flow.ts";

/** The next address of the browser, and the cookies to set. */
interface FinishedFlow {
  location: string;
  setCookies: string[];
}

/** A callback as it arrived. */
export interface Callback {
  parameters: URLSearchParams;
  headers: Headers;
}

/**
 * The provider's callback. It uses the flow up first, so that a replay cannot race a slow provider. Then the provider
 * identifies the user, and the flow ends by its mode: signed in, linked, or with a code for a native client.
 * @throws SigninError that clears the binding cookie. The failure of a native flow goes to its client instead.
 */
export async function finishFlow(
  scope: Scope,
  provider: LoginProvider,
  { parameters, headers }: Callback,
): Promise<FinishedFlow> {
  const { config } = scope;
  const [state, ...others] = parameters.getAll("state");
  if (!state || state.length > STATE_CHARACTERS_MAX || others.length > 0)
    throw failure("invalid_state");
  const stateHash = await hashState(state);
  const flow = await readFlow(scope, { state, stateHash, headers });
  // Another provider's callback leaves the cookie: otherwise it could end sign-ins that are not its own.
  if (flow?.provider !== provider.slug) throw failure("invalid_state");
  const cleared = clearedFlowCookie(config, flowCookieName(config, stateHash));
  try {
    await requireUnused(scope, stateHash, flow);
    const finished = await endFlow(scope, provider, { flow, state, parameters });
    return { ...finished, setCookies: [cleared, ...finished.setCookies] };
  } catch (error) {
    throw error instanceof SigninError ? error.withCookies([cleared]) : error;
  }
}

/** A callback from another browser uses nothing up: otherwise a leaked state would be enough to end a sign-in. */
async function requireUnused(scope: Scope, stateHash: string, flow: Flow): Promise<void> {
  if (flow.expiresAt <= unixNow(scope.clock)) throw failure("state_expired");
  if (!(await useFlow(scope.db, stateHash, flow))) throw failure("invalid_state");
}

type FlowOf<Mode> = Extract<Flow, { mode: Mode }>;

interface SpentFlow {
  flow: Flow;
  state: string;
  parameters: URLSearchParams;
}

async function endFlow(
  scope: Scope,
  provider: LoginProvider,
  spent: SpentFlow,
): Promise<FinishedFlow> {
  const { flow } = spent;
  try {
    switch (flow.mode) {
      case "login":
        return await signIn(scope, provider, spent);
      case "link":
        return await link(scope, provider, spent, flow);
      case "native":
        return await sendCode(scope, provider, spent, flow);
    }
  } catch (error) {
    recordFailure(scope, provider, flow, error);
    if (flow.mode !== "native") throw error;
    // The client waits at the loopback address: it gets the name of the failure.
    const name = logNativeFailure(scope, error);
    const location = withParameters(flow.redirectTo, { error: name, state: spent.state });
    return { location, setCookies: [] };
  }
}

async function signIn(scope: Scope, provider: LoginProvider, spent: SpentFlow) {
  const proven = await identify(provider, spent);
  const userId = await resolveAccount(scope, proven).catch((error: unknown) => {
    if (error instanceof SigninError && error.code === "identity_unconfirmed") return null;
    throw error;
  });
  if (userId === null) return askOnPage(scope, proven, "factor");
  if (userId === undefined) return proveAddress(scope, proven);
  const issued = await issueRefreshToken(scope, { userId, provider: provider.slug });
  const { refresh_token, refresh_expires_in, sessionId } = issued;
  noticeNewDevice(scope, { userId, sessionId });
  const { config } = scope;
  return {
    location: `${config.uiUrl}?auth=success`,
    setCookies: [refreshCookie(config, refresh_token, refresh_expires_in)],
  };
}

/** The page asks for an address and the code that is mailed to it, whether an account has the address or not. */
async function proveAddress(scope: Scope, proven: ProvenIdentity): Promise<FinishedFlow> {
  const { config } = scope;
  if (config.mail.kind === "none") throw failure("mail_unavailable");
  return askOnPage(scope, proven, "finish");
}

/** The page goes on in this view, in the browser that has the identity. */
async function askOnPage(
  scope: Scope,
  proven: ProvenIdentity,
  view: "finish" | "factor",
): Promise<FinishedFlow> {
  return {
    location: `${scope.config.baseUrl}/#${view}`,
    setCookies: [await startPending(scope, proven)],
  };
}

async function link(
  scope: Scope,
  provider: LoginProvider,
  spent: SpentFlow,
  { userId, sessionId }: FlowOf<"link">,
) {
  const now = unixNow(scope.clock);
  if ((await findUserOfLiveSession(scope.db, { id: sessionId, now })) !== userId)
    throw failure("session_expired");
  await linkAccount(scope, { userId, sessionId }, await identify(provider, spent));
  const { uiUrl } = scope.config;
  return { location: `${uiUrl}?connected=${provider.slug}`, setCookies: [] };
}

async function sendCode(
  scope: Scope,
  provider: LoginProvider,
  spent: SpentFlow,
  { redirectTo, codeChallenge }: FlowOf<"native">,
) {
  const userId = await resolveAccount(scope, await identify(provider, spent));
  // The page of this server cannot prove an address for a native client, which waits for a code.
  if (userId === undefined) throw failure("email_unverified");
  const code = await issueNativeCode(scope, { userId, provider: provider.slug, codeChallenge });
  const location = withParameters(redirectTo, { code, state: spent.state });
  return { location, setCookies: [] };
}

function logNativeFailure({ log, client }: Scope, error: unknown): string {
  const { requestId: request_id } = client;
  if (!(error instanceof SigninError)) {
    log.error({ error, request_id }, "A native sign-in failed unexpectedly.");
    return "internal_error";
  }
  const { code, cause: reason } = error;
  if (reason !== undefined) {
    log.info({ failure: code, reason, request_id }, "A sign-in was refused.");
  }
  return code;
}

async function resolveAccount(scope: Scope, proven: ProvenIdentity): Promise<string | undefined> {
  const userId = await resolveOrCreateAccount(scope, proven);
  const detail = { provider: proven.provider };
  if (userId) scope.record({ type: "login.success", outcome: "success", userId, detail });
  return userId;
}

async function identify(
  provider: LoginProvider,
  { flow: { nonce, codeVerifier }, state, parameters }: SpentFlow,
): Promise<ProvenIdentity> {
  const { slug, issuer, addresses } = provider;
  const identity = await provider.exchange({ parameters, state, nonce, codeVerifier });
  return { provider: slug, issuer, addresses, identity };
}

// The provider answered, and this server rejected the identity.
const REJECTIONS = [
  "identity_rejected",
  "email_unverified",
  "account_exists",
  "signup_closed",
  "identity_in_use",
];

/** Records the reason; of a link, in the trail of its account. */
function recordFailure(
  { record }: Scope,
  provider: LoginProvider,
  flow: Flow,
  error: unknown,
): void {
  const reason = error instanceof SigninError ? error.code : "internal_error";
  const { mode } = flow;
  const type =
    mode === "link" || REJECTIONS.includes(reason) ? "identity.rejected" : "login.failure";
  record({
    type,
    outcome: "failure",
    ...(mode === "link" ? { userId: flow.userId, sessionId: flow.sessionId } : {}),
    detail: { provider: provider.slug, mode, reason },
  });
}
