import assert from "node:assert/strict";
import type {
  AuthenticationResponse,
  Operations,
  RegistrationResponse,
  SigninClient,
} from "../../../signin/client/client.ts";
import { createPkce, LOOPBACK } from "../../support/signin/flows.ts";
import type { device, PasskeySignin } from "../../support/signin/passkeys.ts";
import { authenticatorApp } from "../../support/signin/second-factor.ts";
import { BASE_URL } from "../../support/signin/signin.ts";
import { PASSWORD } from "../../support/signin/users.ts";

/** What the calls share: the server, a client with its session, and what was given so far. */
interface SigninCallHarness {
  signin: PasskeySignin;
  client: SigninClient;
  /** Opens an address as a browser does: the answer is no client's. */
  open(url: string, init?: RequestInit): Promise<Response>;
  /** The verifier and the provider's address of a native login, then its one-time code. */
  native: { verifier: string; url: string; code: string };
  device: ReturnType<typeof device>;
  passkeyId: string;
  factor: { app?: ReturnType<typeof authenticatorApp> };
}

/** Someone with a password; the person at the provider is another one. */
const EMAIL = "password@example.test";
const OTHER_EMAIL = "other@example.test";
const NEW_PASSWORD = `${PASSWORD} again`;

type Call = (harness: SigninCallHarness) => Promise<unknown>;

/** A successful call of each operation, in the order in which they are made, as `CALLS` of the engine. */
export const SIGNIN_CALLS: Readonly<Record<keyof Operations, Call>> = {
  getHealth: ({ client }) => client.system.getHealth(),
  getDocument: ({ client }) => client.system.getDocument(),
  getReadiness: ({ client }) => client.system.getReadiness(),
  getPage: ({ client }) => client.page.get(),
  getPageStyle: ({ client }) => client.page.getStyle(),
  getPageScript: ({ client }) => client.page.getScript(),
  getPageIcon: ({ client }) => client.page.getIcon(),
  getPageCommonPasswords: ({ client }) => client.page.getCommonPasswords(),
  listPublishedKeys: ({ client }) => client.sessions.listPublishedKeys(),
  getServerMetadata: ({ client }) => client.sessions.getServerMetadata(),

  startLogin: async ({ client, native }) => {
    const { verifier, challenge } = await createPkce();
    const answer = await client.login.start("google", {
      native: "true",
      redirectTo: LOOPBACK,
      codeChallenge: challenge,
      codeChallengeMethod: "S256",
    });
    Object.assign(native, { verifier, url: answer?.url });
  },
  completeLogin: async ({ signin, open, native }) => {
    const response = await open(await signin.idp.authorize(native.url));
    const { searchParams } = new URL(response.headers.get("location") ?? "");
    native.code = searchParams.get("code") ?? "";
  },
  postCallback: async ({ open }) => {
    const body = new URLSearchParams({ state: "s", error: "user_cancelled_authorize" });
    await open(`${BASE_URL}/auth/apple/callback`, { method: "POST", body, redirect: "manual" });
  },
  exchangeNativeCode: ({ client, native }) =>
    client.native.exchangeCode({ code: native.code, codeVerifier: native.verifier }),
  listIdentities: ({ client }) => client.connections.listIdentities(),
  confirmIdentity: ({ client }) => client.connections.confirmIdentity("google"),
  logoutSession: ({ client }) => client.sessions.logout(),

  sendSignupCode: ({ client }) => client.passwords.sendSignupCode({ email: EMAIL }),
  completeSignup: ({ client, signin }) => {
    const code = signin.codeFor(EMAIL);
    return client.passwords.completeSignup({ email: EMAIL, code, password: PASSWORD });
  },
  sendPasswordResetCode: ({ client, signin }) => {
    signin.deps.clock.advance(61_000);
    return client.passwords.sendResetCode({ email: EMAIL });
  },
  completePasswordReset: ({ client, signin }) => {
    const code = signin.codeFor(EMAIL);
    return client.passwords.completeReset({ email: EMAIL, code, password: NEW_PASSWORD });
  },
  loginPassword: ({ client }) => client.passwords.login({ email: EMAIL, password: NEW_PASSWORD }),
  sendLoginCode: ({ client, signin }) => {
    signin.deps.clock.advance(61_000);
    return client.passwords.sendLoginCode({ email: EMAIL });
  },
  completeCodeLogin: ({ client, signin }) =>
    client.passwords.completeCodeLogin({ email: EMAIL, code: signin.codeFor(EMAIL) }),
  sendPasswordCode: ({ client }) => client.passwords.sendCode(),
  changePassword: ({ client }) =>
    client.passwords.change({ currentPassword: NEW_PASSWORD, newPassword: PASSWORD }),
  refreshSession: ({ client }) => client.sessions.refresh(),

  sendEmailCode: ({ client }) => client.account.sendEmailCode({ email: OTHER_EMAIL }),
  changeEmail: ({ client, signin }) =>
    client.account.changeEmail({ email: OTHER_EMAIL, code: signin.codeFor(OTHER_EMAIL) }),
  exportMe: ({ client }) => client.account.exportMe(),
  sendReauthenticationCode: ({ client }) => client.account.sendReauthenticationCode(),
  reauthenticateSession: ({ client, signin }) =>
    client.account.reauthenticateSession({ code: signin.codeFor(OTHER_EMAIL) }),

  createTotpOptions: async ({ client, factor }) => {
    const { secret } = await client.account.createTotpOptions();
    factor.app = authenticatorApp(secret);
  },
  enableTotp: async ({ client, signin, factor }) => {
    const code = factor.app?.codeAt(signin.deps.clock.now()) ?? "";
    assert.equal((await client.account.enableTotp({ code })).recoveryCodes.length, 10);
  },
  loginIdentity: async ({ signin, client, factor, open }) => {
    const { id } = await client.account.getMe();
    await signin.rows(`UPDATE identities SET user_id = '${id}', is_unconfirmed = 1`);
    const begun = await open(`${BASE_URL}/auth/google/login`);
    const back = await signin.idp.authorize(begun.headers.get("location") ?? "");
    await open(back, { credentials: "include" });
    signin.deps.clock.advance(30_000);
    const secondFactor = factor.app?.codeAt(signin.deps.clock.now()) ?? "";
    await client.account.loginIdentity({ secondFactor });
    await signin.rows(`UPDATE sessions SET proven_at = ${signin.deps.clock.now() / 1000}`);
  },
  getSecondFactor: ({ client }) => client.account.getSecondFactor(),
  createRecoveryCodes: ({ client }) => client.account.createRecoveryCodes(),
  disableTotp: ({ client }) => client.account.disableTotp(),

  getMe: ({ client }) => client.account.getMe(),
  updateMe: ({ client }) => client.account.updateMe({ displayName: "Ada" }),
  listProviders: ({ client }) => client.account.listProviders(),
  connectApiKey: ({ client }) =>
    client.connections.connectApiKey({ providerSlug: "openai", apiKey: "sk-0123456789abcdef" }),
  disconnectProvider: ({ client }) => client.connections.disconnectProvider("openai"),

  // The options of a passkey are bound to those of its creation, so they are asked for twice.
  createPasskeyOptions: ({ client }) => client.passkeys.createOptions(),
  createPasskey: async (harness) => {
    const { client, device } = harness;
    const created = device.create(await client.passkeys.createOptions());
    const credential = created as unknown as RegistrationResponse;
    harness.passkeyId = (await client.passkeys.create({ credential })).id;
  },
  listPasskeys: ({ client }) => client.passkeys.list(),
  updatePasskey: ({ client, passkeyId }) => client.passkeys.update(passkeyId, { label: "Key" }),
  createPasskeyLoginOptions: ({ client }) => client.passkeys.createLoginOptions(),
  loginPasskey: async ({ client, device }) => {
    const signed = device.get(await client.passkeys.createLoginOptions());
    const credential = signed as unknown as AuthenticationResponse;
    return client.passkeys.login({ credential, native: true });
  },
  deletePasskey: ({ client, passkeyId }) => client.passkeys.delete(passkeyId),

  listSessions: ({ client }) => client.sessions.list(),
  listEvents: ({ client }) => client.events.list(),
  deleteSession: async ({ client }) => {
    const other = (await client.sessions.list()).sessions.find(({ current }) => !current);
    assert.ok(other);
    return client.sessions.delete(other.id);
  },
  sendDeleteCode: ({ client }) => client.account.sendDeleteCode(),
  deleteMe: ({ client }) => client.account.deleteMe({ password: PASSWORD }),
};
