import { sha256, toBase64Url } from "../../shared/bytes.ts";
import type { SigninConfig } from "../config/config.ts";
import type { AuthFlowRow } from "../db/schema.ts";
import { unixNow } from "../db/time.ts";
import type { Scope } from "../deps.ts";
import { failure } from "../errors.ts";
import type { AccessClaims } from "../http/access-claims.ts";
import { clearedFlowCookie, excessFlowCookies, flowCookie } from "../http/cookies.ts";
import { FLOW_LIFETIME_SEC } from "../limits.ts";
import type { LoginProvider } from "../providers/provider.ts";
import { insertFlow } from "./flow-store.ts";

type StartDeps = Pick<Scope, "db" | "config" | "clock" | "random" | "keyring">;

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
 * @throws SigninError `link_flow_cross_site` where browsers would not keep the binding cookie
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
  const { url, state } = await start(deps, provider, { mode: "native", redirectTo, codeChallenge });
  return { url, state, setCookies: [] };
}

async function startBound(
  deps: StartDeps,
  provider: LoginProvider,
  headers: Headers,
  facts: FlowFacts,
): Promise<StartedFlow> {
  const { config, random } = deps;
  const binding = random(RANDOM_BYTES);
  const bindingHash = toBase64Url(await sha256(binding));
  const { url, state, stateHash } = await start(deps, provider, { ...facts, bindingHash });
  const given = excessFlowCookies(config, headers).map((name) => clearedFlowCookie(config, name));
  return { url, state, setCookies: [...given, flowCookie(config, stateHash, binding)] };
}

type FlowFacts = Pick<AuthFlowRow, "mode"> &
  Partial<
    Pick<AuthFlowRow, "bindingHash" | "userId" | "sessionId" | "redirectTo" | "codeChallenge">
  >;

async function start(deps: StartDeps, provider: LoginProvider, facts: FlowFacts) {
  const { db, clock, random, keyring } = deps;
  const createToken = () => toBase64Url(random(RANDOM_BYTES));
  const [state, nonce, codeVerifier] = [createToken(), createToken(), createToken()];
  // The provider first: where it cannot be reached, no flow is stored.
  const asksAccount = facts.mode !== "login";
  const url = await provider.authorizationUrl({ state, nonce, codeVerifier, asksAccount });
  const stateHash = toBase64Url(await sha256(state));
  const box = await keyring.box();
  await insertFlow(db, {
    bindingHash: null,
    userId: null,
    sessionId: null,
    redirectTo: null,
    codeChallenge: null,
    ...facts,
    stateHash,
    provider: provider.slug,
    nonce,
    pkceVerifierEnc: await box.seal(codeVerifier, flowContext(stateHash)),
    expiresAt: unixNow(clock) + FLOW_LIFETIME_SEC,
  });
  return { url, state, stateHash };
}

/** The context of a flow's sealed verifier. */
export function flowContext(stateHash: string): string {
  return `signin|flow|${stateHash}`;
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
