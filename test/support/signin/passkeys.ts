import assert from "node:assert/strict";
import type { Environment } from "../../../shared/env.ts";
import { type AlgorithmName, type Mutation, SoftAuthenticator } from "./authenticator.ts";
import { keptCookies } from "./flows.ts";
import { BASE_URL, type CallOptions } from "./signin.ts";
import { type Answer, createSigninWithUsers, type SigninWithUsers, send } from "./users.ts";

export const RP_ID = "auth.example.test";

/** A server in this process without rate limits, and the two ceremonies of passkeys. */
export interface PasskeySignin extends SigninWithUsers {
  /** A new account with a password; its access token. */
  openAccount(): Promise<{ bearer: string; userId: string }>;
  ask(method: string, path: string, options?: CallOptions): Promise<Answer>;
  registrationOptions(bearer: string): Promise<Answer["body"]>;
  register(bearer: string, device: SoftAuthenticator, mutation?: Mutation): Promise<Answer>;
  /** Options of a sign-in, with the cookie that binds them. */
  signInOptions(): Promise<{ options: Answer["body"]; cookie: string }>;
  signIn(device: SoftAuthenticator, mutation?: Mutation, more?: object): Promise<Answer>;
  finishSignIn(credential: unknown, cookie: string, more?: object): Promise<Answer>;
}

const NO_LIMITS = {
  openRateLimiter: () => ({
    consume: async () => ({ ok: true }) as const,
    clear: async () => {},
  }),
};

export async function createPasskeySignin(
  env: Environment = {},
  overrides: Parameters<typeof createSigninWithUsers>[1] = NO_LIMITS,
): Promise<PasskeySignin> {
  const users = await createSigninWithUsers(env, overrides);
  let accounts = 0;
  const ask: PasskeySignin["ask"] = (method, path, options = {}) =>
    send(users, method, path, options);
  const signin: PasskeySignin = {
    ...users,
    ask,
    async openAccount() {
      accounts += 1;
      const { access_token: bearer, user } = await users.signUp(`key${accounts}@example.test`);
      return { bearer, userId: user.id };
    },
    async registrationOptions(bearer) {
      const answer = await ask("POST", "/auth/passkeys/options", { bearer });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    },
    async register(bearer, device, mutation) {
      const credential = device.create(await signin.registrationOptions(bearer), mutation);
      return ask("POST", "/auth/passkeys", { bearer, body: { credential } });
    },
    async signInOptions() {
      const response = await users.call("POST", "/auth/passkey/options");
      assert.equal(response.status, 200);
      return { options: await response.json(), cookie: keptCookies(response).join("; ") };
    },
    async signIn(device, mutation, more) {
      const { options, cookie } = await signin.signInOptions();
      return signin.finishSignIn(device.get(options, mutation), cookie, more);
    },
    finishSignIn: (credential, cookie, more = {}) =>
      ask("POST", "/auth/passkey", { body: { credential, ...more }, cookie, origin: BASE_URL }),
  };
  return signin;
}

/** A device on the page of the server itself. */
export function device(algorithm?: AlgorithmName, isSynced = false): SoftAuthenticator {
  return new SoftAuthenticator({ origin: BASE_URL, isSynced, ...(algorithm ? { algorithm } : {}) });
}
