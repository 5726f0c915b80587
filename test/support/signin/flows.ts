import assert from "node:assert/strict";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { sha256, toBase64Url } from "../../../shared/bytes.ts";
import { randomToken } from "../../../shared/random.ts";
import type { Person } from "./identity-provider.ts";
import { APPLE } from "./played-providers.ts";
import { type TestSignin, UI_URL } from "./signin.ts";

/** A browser that is signed in. */
export interface SignedIn {
  /** `name=value` of the refresh cookie. */
  cookie: string;
  accessToken: string;
  user: { id: string; email: string };
}

/** What a browser keeps of a response: `name=value` of each cookie that is not taken away. */
export function keptCookies(response: Response): string[] {
  return response.headers
    .getSetCookie()
    .filter((cookie) => !cookie.includes("Max-Age=0;"))
    .map((cookie) => cookie.split(";", 1)[0] ?? "");
}

/** A flow that a browser began: the provider's address and the binding cookie. */
export async function beginFlow(
  signin: TestSignin,
  provider = "google",
  { bearer }: { bearer?: string } = {},
): Promise<{ url: string; cookie: string }> {
  const query = bearer === undefined ? "" : "?mode=link";
  const response = await signin.call("GET", `/auth/${provider}/login${query}`, { bearer });
  const cookie = keptCookies(response).join("; ");
  if (bearer === undefined) return { url: response.headers.get("location") ?? "", cookie };
  return { url: (await response.json()).url, cookie };
}

/** The callback of a flow, as the browser opens it after the provider's page. */
export async function openCallback(
  signin: TestSignin,
  flow: { url: string; cookie: string },
  person?: Partial<Person>,
): Promise<Response> {
  const callback = await signin.idp.authorize(flow.url, person);
  const isPosted = new URL(flow.url).searchParams.get("response_mode") === "form_post";
  return signin.call("GET", isPosted ? await postCallback(signin, callback) : callback, {
    cookie: flow.cookie,
  });
}

/** Apple's form: another site posts it, so the browser sends no cookie. The address that the browser opens next. */
export async function postCallback(signin: TestSignin, callback: string): Promise<string> {
  const { pathname, search } = new URL(callback);
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const ask = { body: search.slice(1), origin: APPLE, headers };
  const response = await signin.call("POST", pathname, ask);
  assert.equal(response.status, 303, await response.clone().text());
  assert.deepEqual(response.headers.getSetCookie(), []);
  return response.headers.get("location") ?? "";
}

/** Signs a browser in, all the way. */
export async function signIn(
  signin: TestSignin,
  { provider = "google", ...person }: Partial<Person> & { provider?: string } = {},
): Promise<SignedIn> {
  const response = await openCallback(signin, await beginFlow(signin, provider), person);
  assert.equal(response.status, 302, await response.clone().text());
  assert.equal(response.headers.get("location"), `${UI_URL}?auth=success`);
  const [cookie = ""] = keptCookies(response);
  return refreshByCookie(signin, cookie);
}

/** A browser's refresh; the next cookie is the answer's. */
export async function refreshByCookie(signin: TestSignin, cookie: string) {
  const response = await signin.call("POST", "/auth/refresh", { cookie, origin: UI_URL });
  assert.equal(response.status, 200, await response.clone().text());
  const { access_token: accessToken, user } = await response.json();
  return { accessToken, user, cookie: keptCookies(response)[0] ?? "" };
}

/** Adds an identity to the account of `accessToken`. */
export async function link(
  signin: TestSignin,
  accessToken: string,
  { provider = "github", ...person }: Partial<Person> & { provider?: string } = {},
): Promise<Response> {
  const flow = await beginFlow(signin, provider, { bearer: accessToken });
  return openCallback(signin, flow, person);
}

/** A native client's secret and what it shows of it. */
export async function createPkce(): Promise<{ verifier: string; challenge: string }> {
  const verifier = randomToken(32);
  return { verifier, challenge: toBase64Url(await sha256(verifier)) };
}

export const LOOPBACK = "http://127.0.0.1:43210/done";

/** The query of a native login. */
export function nativeQuery(challenge: string, redirectTo = LOOPBACK): string {
  return `?${new URLSearchParams({
    native: "true",
    redirect_to: redirectTo,
    code_challenge: challenge,
    code_challenge_method: "S256",
  })}`;
}

/** A native sign-in up to its one-time code. */
export async function obtainNativeCode(
  signin: TestSignin,
  { provider = "google", ...person }: Partial<Person> & { provider?: string } = {},
): Promise<{ code: string; verifier: string; state: string }> {
  const { verifier, challenge } = await createPkce();
  const begun = await signin.call("GET", `/auth/${provider}/login${nativeQuery(challenge)}`);
  const { url, state } = await begun.json();
  const response = await openCallback(signin, { url, cookie: "" }, person);
  const location = new URL(response.headers.get("location") ?? "");
  assert.equal(location.searchParams.get("state"), state);
  return { code: location.searchParams.get("code") ?? "", verifier, state };
}

export function exchangeCode(
  signin: TestSignin,
  { code, verifier }: { code: string; verifier: string },
): Promise<Response> {
  return signin.call("POST", "/auth/native/token", { body: { code, code_verifier: verifier } });
}

/** A native client that is signed in. */
export async function signInNative(
  signin: TestSignin,
  person: Partial<Person> & { provider?: string } = {},
): Promise<{ access_token: string; refresh_token: string; user: { id: string } }> {
  const response = await exchangeCode(signin, await obtainNativeCode(signin, person));
  assert.equal(response.status, 200, await response.clone().text());
  return response.json();
}

/** Status and code of a refusal. */
export async function refusalOf(response: Response): Promise<string> {
  const body = await response.json().catch(() => ({}));
  return `${response.status} ${body.code}`;
}

/** How many of the responses have this status. */
export function countStatus(responses: readonly Response[], status: number): number {
  return responses.filter((response) => response.status === status).length;
}

/** A second key pair of the provider. */
export const OTHER = await generateKeyPair("RS256", { extractable: true });

/** The second public key, as the provider serves it. */
export const OTHER_JWK: JWK = {
  ...(await exportJWK(OTHER.publicKey)),
  kid: "key-2",
  alg: "RS256",
  use: "sig",
};

/** Begins a flow and opens its callback. */
export async function attempt(signin: TestSignin): Promise<Response> {
  const flow = await beginFlow(signin);
  signin.idp.takeRequests();
  return openCallback(signin, flow);
}

/** Refused, without effect: no session, no account, no call to UserInfo. */
export async function assertRejected(
  signin: TestSignin,
  refusal = "403 identity_rejected",
): Promise<void> {
  const response = await attempt(signin);
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM users UNION ALL SELECT 1 FROM sessions"), []);
  assert.equal(
    signin.idp.takeRequests().some((request) => request.includes("userinfo")),
    false,
  );
}

/** A 4xx that did nothing: no session, no account, no call to a provider. */
export async function assertSafe(
  signin: TestSignin,
  response: Response,
  refusal: string,
): Promise<void> {
  assert.equal(await refusalOf(response), refusal);
  assert.equal(
    response.headers.getSetCookie().some((cookie) => cookie.includes("_rt=rt1.")),
    false,
  );
  assert.deepEqual(await signin.rows("SELECT 1 FROM sessions UNION ALL SELECT 1 FROM users"), []);
  assert.deepEqual(signin.idp.takeRequests(), []);
}

/** What the page shows of the identity that waits in a browser for the proof of an address. */
export async function readPendingFacts(
  signin: TestSignin,
  cookie: string,
): Promise<{ provider: string; email: string; next: string }> {
  const html = await (await signin.call("GET", "/", { cookie })).text();
  const [, facts = ""] = /<template id="facts">(.*)<\/template>/.exec(html) ?? [];
  return JSON.parse(facts.replaceAll("&quot;", '"').replaceAll("&amp;", "&")).pending;
}
