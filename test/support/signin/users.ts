import assert from "node:assert/strict";
import type { Environment } from "../../../shared/env.ts";
import type { SigninDeps } from "../../../signin/deps.ts";
import type { TokenResponse } from "../../../signin/tokens/wire.ts";
import { type CallOptions, createTestSignin, type TestSignin } from "./signin.ts";

/** A test server that can mail, and whose background work can be waited for. */
export interface SigninWithUsers extends TestSignin {
  /** `call` as JSON, once everything that the request began is done. */
  post(path: string, body: unknown, options?: CallOptions): Promise<Answer>;
  get(path: string, bearer: string): Promise<Answer>;
  /** The code in the newest mail to an address. */
  codeFor(email: string): string;
  /** Signs up by a mailed code; the clock moves on so that the next code can be mailed. */
  signUp(email: string, password?: string): Promise<TokenResponse>;
  /** Proves an account afresh with the password of `signUp`. */
  prove(bearer: string): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  body: any;
}

export const PASSWORD = "correct horse battery";
export const CLIENT_ADDRESS = "203.0.113.7";
export const MAIL_ENV: Environment = {
  MAIL_TRANSPORT: "http",
  MAIL_HTTP_URL: "https://mail.example.test/send",
  MAIL_FROM: "Roundhouse <no-reply@example.test>",
};

export async function createSigninWithUsers(
  env: Environment = {},
  overrides: Partial<SigninDeps> = {},
): Promise<SigninWithUsers> {
  const signin = await createTestSignin({ ...MAIL_ENV, ...env }, overrides);
  const users: SigninWithUsers = {
    ...signin,
    async post(path, body, options = {}) {
      return send(signin, "POST", path, { ...options, body });
    },
    get: (path, bearer) => send(signin, "GET", path, { bearer }),
    codeFor(email) {
      const mail = signin.mails.findLast(
        ({ to }) => to.toLowerCase() === email.trim().toLowerCase(),
      );
      const code = /^Your code: (\d{8}|[0-9A-Z]{26})$/m.exec(mail?.text ?? "")?.[1];
      assert.ok(code, `a code was mailed to ${email}`);
      return code;
    },
    async signUp(email, password = PASSWORD) {
      assert.equal((await users.post("/auth/signup/code", { email })).status, 200);
      const code = users.codeFor(email);
      const answer = await users.post("/auth/signup/complete", { email, code, password });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      signin.deps.clock.advance(61_000);
      return answer.body;
    },
    async prove(bearer) {
      const answer = await users.post("/auth/reauthenticate", { password: PASSWORD }, { bearer });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
    },
  };
  return users;
}

/** One request, with its answer read and all its background work done. */
export async function send(
  signin: TestSignin,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const pending: Promise<unknown>[] = [];
  const from = {
    address: CLIENT_ADDRESS,
    ...options.from,
    waitUntil: (work: Promise<unknown>) => void pending.push(work),
  };
  const response = await signin.call(method, path, { ...options, from });
  const text = await response.text();
  await Promise.all(pending);
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}
