import assert from "node:assert/strict";
import { TOTP } from "otpauth";
import type { Environment } from "../../../shared/env.ts";
import { createPasskeySignin, type PasskeySignin } from "./passkeys.ts";
import { type Answer, type createSigninWithUsers, PASSWORD } from "./users.ts";

/** The app of a person: another implementation than the server's. */
export function authenticatorApp(secret: string) {
  const app = new TOTP({ secret });
  return { codeAt: (milliseconds: number) => app.generate({ timestamp: milliseconds }) };
}

/** A code of six digits that is not one of these. */
export function wrongCode(...right: string[]): string {
  return ["000000", "111111", "222222", "333333"].find((code) => !right.includes(code)) ?? "";
}

/** An account whose second factor is on, in a session that has proven it. */
export interface FactorAccount {
  email: string;
  userId: string;
  bearer: string;
  recoveryCodes: string[];
  /** The code of now, or of so many steps later. */
  code(stepsLater?: number): string;
  /** A code that no step near now has. */
  wrong(): string;
  /** Waits for the next step, and answers its code. */
  nextCode(): string;
  logIn(second_factor?: string, password?: string): Promise<Answer>;
}

/** A server in this process without rate limits, unless `limits` are wanted, with accounts that have second factors. */
export interface FactorSignin extends PasskeySignin {
  openFactorAccount(email?: string): Promise<FactorAccount>;
  switchOn(bearer: string, email: string, userId: string): Promise<FactorAccount>;
}

export async function createFactorSignin(
  env: Environment = {},
  overrides?: Parameters<typeof createSigninWithUsers>[1],
): Promise<FactorSignin> {
  const signin = await createPasskeySignin(env, overrides);
  let accounts = 0;
  const made: FactorSignin = Object.assign(signin, {
    async switchOn(bearer: string, email: string, userId: string): Promise<FactorAccount> {
      const options = await signin.post("/auth/second-factor/totp/options", undefined, { bearer });
      assert.equal(options.status, 200, JSON.stringify(options.body));
      const { clock } = signin.deps;
      const app = authenticatorApp(options.body.secret);
      const code = (stepsLater = 0) => app.codeAt(clock.now() + stepsLater * 30_000);
      const on = await signin.post("/auth/second-factor/totp", { code: code() }, { bearer });
      assert.equal(on.status, 200, JSON.stringify(on.body));
      return {
        email,
        userId,
        bearer,
        recoveryCodes: on.body.recovery_codes,
        code,
        wrong: () => wrongCode(code(-1), code(), code(1)),
        nextCode() {
          clock.advance(30_000);
          return code();
        },
        logIn: (second_factor, password = PASSWORD) =>
          signin.post("/auth/login", { email, password, second_factor }),
      };
    },
    async openFactorAccount(email = `factor${accounts}@example.test`) {
      accounts += 1;
      const { access_token, user } = await signin.signUp(email);
      return made.switchOn(access_token, email, user.id);
    },
  });
  return made;
}

export const EMAIL = "ann@example.test";
export const NEW_PASSWORD = "another fine phrase";

/** The three ways in that ask for the second factor, each opened up to that: what is left is to send it. */
export const DOORS: Record<
  string,
  (signin: FactorSignin, email: string) => Promise<(second_factor?: string) => Promise<Answer>>
> = {
  "a password": async (signin, email) => (second_factor) =>
    signin.post("/auth/login", { email, password: PASSWORD, second_factor }),
  "a mailed code": async (signin, email) => {
    await signin.post("/auth/login/code", { email });
    const code = signin.codeFor(email);
    return (second_factor) =>
      signin.post("/auth/login/code/complete", { email, code, second_factor });
  },
  "a password reset": async (signin, email) => {
    await signin.post("/auth/password/reset/code", { email });
    const code = signin.codeFor(email);
    const body = { email, code, password: NEW_PASSWORD };
    return (second_factor) =>
      signin.post("/auth/password/reset/complete", { ...body, second_factor });
  },
};

/** Status and code. */
export const outcome = ({ status, body }: Answer) => [status, body?.code];
export const REQUIRED = [401, "second_factor_required"];
export const REJECTED = [401, "second_factor_rejected"];
