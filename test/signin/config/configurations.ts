import assert from "node:assert/strict";
import { it } from "node:test";
import { BadConfiguration, type Environment } from "../../../shared/env.ts";
import { parseConfig } from "../../../signin/config/config.ts";
import type { Runtime } from "../../../signin/config/rules.ts";

/** Secrets and environments that a start accepts. */
export const JWT = "b1946ac92492d2347c6235b4d2611184e1cf3a5f1b2d4c6a7e8f90a1b2c3d4e5";
export const KEY = "3q2-7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs";
export const OTHER_KEY = "GhscHR4fICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk=";
export const DEVELOPMENT: Environment = { JWT_SECRET_KEY: JWT, TOKEN_ENCRYPTION_KEY: KEY };
export const PRODUCTION: Environment = {
  ...DEVELOPMENT,
  APP_ENV: "production",
  APP_BASE_URL: "https://auth.example.com",
  APP_UI_BASE_URL: "https://app.example.com",
};
export const OIDC = {
  OIDC_PROVIDER_CLIENT_ID: "id",
  OIDC_PROVIDER_CLIENT_SECRET: "secret-of-oidc",
};
export const OAUTH = {
  OAUTH_PROVIDER_CLIENT_ID: "id",
  OAUTH_PROVIDER_CLIENT_SECRET: "secret-of-oauth",
};

/** A bad environment, and the variable that its refusal names. */
export type RefusedCase = [name: string, env: Environment, variable: string, runtime?: Runtime];

/** The message of a refused start; empty where the configuration is accepted. */
export function refusalOf(env: Environment, runtime: Runtime = "node"): string {
  try {
    parseConfig(env, runtime);
  } catch (error) {
    assert.ok(error instanceof BadConfiguration, String(error));
    return error.message;
  }
  return "";
}

/** One test a case. */
export function itRefuses(cases: readonly RefusedCase[]): void {
  for (const [name, env, variable, runtime] of cases) {
    it(`for ${name}: ${variable}`, () => {
      assert.match(refusalOf(env, runtime), new RegExp(`^${variable}: `, "m"));
    });
  }
}
