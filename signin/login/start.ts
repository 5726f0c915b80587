import { toBase64Url } from "../../shared/bytes.ts";
import type { SigninConfig } from "../config/config.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { clearedFlowCookie, excessFlowCookies, flowCookie } from "../http/cookies.ts";
import { FLOW_LIFETIME_SEC } from "../limits.ts";
import type { LoginProvider } from "../providers/provider.ts";
import { type Flow, type FlowMode, hashState, sealFlow, sealNativeFlow } from "./flow.ts";

type StartDeps = Pick<Scope, "config" | "clock" | "random" | "keyring">;

/** A flow that began: the address and the cookies for the browser. */
interface StartedFlow {
  url: string;
  state: string;
  setCookies: string[];
}

const RANDOM_BYTES = 32;

/** Starts the sign-in of a browser. `headers` are those of its request. */
export function startLogin(deps: StartDeps, provider: LoginProvider, headers: Headers) {
  return startBound(deps, provider, headers, { mode: "login" });
}

/**
 * Starts a link: a browser adds an identity to the account of `user`.
 * @throws SigninError `link_flow_cross_site` if browsers would not keep the binding cookie
 */
export async function startLink(
  deps: StartDeps,
  provider: LoginProvider,
  headers: Headers,
  { userId, sessionId }: AccessClaims,
): Promise<StartedFlow> {
  if (!isOneSite(deps.config)) throw failure("link_flow_cross_site");
  return startBound(deps, provider, headers, { mode: "link", userId, sessionId });
}

/** Starts the sign-in of a native client. There is no browser to bind; the challenge and the loopback address protect it. */
export async function startNative(
  deps: StartDeps,
  provider: LoginProvider,
  { redirectTo, codeChallenge }: { redirectTo: string; codeChallenge: string },
): Promise<StartedFlow> {
  const flow = createFlow(deps, provider, { mode: "native", redirectTo, codeChallenge });
  const state = await sealNativeFlow(deps.keyring, flow);
  return { url: await toUrl(provider, flow, state), state, setCookies: [] };
}

async function startBound(
  deps: StartDeps,
  provider: LoginProvider,
  headers: Headers,
  mode: FlowMode,
): Promise<StartedFlow> {
  const { config, keyring } = deps;
  const flow = createFlow(deps, provider, mode);
  const state = createToken(deps);
  const stateHash = await hashState(state);
  const sealed = await sealFlow(keyring, flow, stateHash);
  const given = excessFlowCookies(config, headers).map((name) => clearedFlowCookie(config, name));
  const setCookies = [...given, flowCookie(config, stateHash, sealed)];
  return { url: await toUrl(provider, flow, state), state, setCookies };
}

function createFlow(deps: StartDeps, { slug }: LoginProvider, mode: FlowMode): Flow {
  return {
    provider: slug,
    nonce: createToken(deps),
    codeVerifier: createToken(deps),
    expiresAt: unixNow(deps.clock) + FLOW_LIFETIME_SEC,
    ...mode,
  };
}

function createToken({ random }: StartDeps): string {
  return toBase64Url(random(RANDOM_BYTES));
}

function toUrl(provider: LoginProvider, flow: Flow, state: string): Promise<string> {
  const { nonce, codeVerifier, mode } = flow;
  return provider.authorizationUrl({ state, nonce, codeVerifier, asksAccount: mode !== "login" });
}

/**
 * Whether the user interface and this server are one site for browsers: same scheme, and hosts with the same last two
 * labels. Otherwise browsers do not send the binding cookie of a link flow. In development loopback names are one site.
 */
export function isOneSite({
  uiUrl,
  baseUrl,
  env,
}: Pick<SigninConfig, "uiUrl" | "baseUrl" | "env">): boolean {
  const [ui, own] = [new URL(uiUrl), new URL(baseUrl)];
  if (ui.protocol !== own.protocol) return false;
  if (ui.hostname === own.hostname) return true;
  const names = [ui.hostname, own.hostname];
  if (names.every((name) => LOOPBACK_NAME.test(name)))
    return env === "development" || env === "test";
  if (names.some((name) => IP_ADDRESS.test(name))) return false;
  const [site, ownSite] = names.map((name) => name.split(".").slice(-2).join("."));
  return site === ownSite && site?.includes(".") === true;
}

const LOOPBACK_NAME = /^(localhost|127\.0\.0\.1|\[::1\])$/;
const IP_ADDRESS = /^(\[.*\]|[\d.]+)$/;
