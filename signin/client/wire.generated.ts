// Written by `npm run client:generate` from signin/openapi.json.
import type { CallOptions } from "../../shared/client/operation.ts";

export type { CallOptions };

/** A stored string that should hold JSON, and does not. */
export interface Malformed {
  malformed: string;
}

/** An event of a stream, as it came. */
export interface StreamedEvent {
  id: string;
  event: string;
  data: unknown;
}

/** The state of the program. */
export interface Health {
  /** Always `ok`. */
  status: "ok";
  /** The version of the program. */
  version: string;
}

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = Record<string, unknown>;

/** The server can serve requests. */
export interface Ready {
  /** Always `ready`. */
  status: "ready";
  /** The time of one password hash here, in milliseconds; null until it was measured. */
  hashMs: number | null;
}

/** Where the user signs in. */
export interface LoginAnswer {
  /** The address to open in the user's browser. */
  url: string;
  /** The `state` that the loopback address receives with the code; only for native clients. */
  state?: string;
}

/** The tokens of a session, and its user. */
export interface TokenAnswer {
  /** The bearer token of requests: a JWT. */
  accessToken: string;
  /** Always `Bearer`. */
  tokenType: "Bearer";
  /** For how many seconds the access token is valid. */
  expiresIn: number;
  /** The token for `POST /auth/refresh`; each is used once. */
  refreshToken: string;
  /** For how many seconds the refresh token is valid. */
  refreshExpiresIn: number;
  /** The user. */
  user: AccountUser;
}

/** A user. */
export interface AccountUser {
  /** The id of the user. */
  id: string;
  /** The verified e-mail address. */
  email: string;
  /** The name to show; null where there is none. */
  displayName: string | null;
  /** The address of a picture; null where there is none. */
  avatarUrl: string | null;
  /** The slugs of the connected providers. */
  connectedProviders: Array<string>;
}

/** The one-time code of a native sign-in, with its proof. */
export interface NativeToken {
  /** The code that the loopback address got. */
  code: string;
  /** The PKCE verifier: 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~. */
  codeVerifier: string;
}

/** The current user. */
export type Me = AccountUser & {
  /** Whether the account has a password. */
  hasPassword: boolean;
  /** The connections of the account. */
  connections: Array<Connection>;
};

/** One connection of the account. */
export interface Connection {
  /** The slug of the provider. */
  provider: string;
  /** What kind of provider it is. */
  kind: "oidc" | "oauth" | "api_key";
  /** When it was connected, ISO-8601 in UTC. */
  connectedAt: string;
  /** The last characters of the stored API key, masked. */
  hint?: string;
}

/** What a user may change at once. */
export interface ProfileChange {
  /** The name to show: one line of 1 to 100 characters, or null. */
  displayName: string | null;
}

/** The providers, connected or not. */
export interface ProviderList {
  /** The providers of API keys, and the configured providers of sign-ins. */
  providers: Array<{
    /** The slug of the provider. */
    slug: string;
    /** What kind of provider it is. */
    kind: "oidc" | "oauth" | "api_key";
    /** The name of the provider for people. */
    label: string;
    /** Whether a user can sign in with it. */
    canSignIn: boolean;
    /** Whether the current user is connected with it. */
    connected: boolean;
    /** The last characters of the stored API key, masked. */
    hint?: string;
  }>;
}

/** The response to a request for a code. */
export interface Notice {
  /** A sentence to show to the user. */
  notice: string;
}

/** The recipient of a code. */
export interface CodeRequest {
  /** The e-mail address; trimmed, compared without case. */
  email: string;
}

/** A new address, and the code that was mailed there. */
export interface EmailChange {
  /** The new e-mail address; trimmed, compared without case. */
  email: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code: string;
}

/** What proves that the owner wants it; at most one of the two. */
export interface AccountDeletion {
  /** The password. A wrong one is 400 `invalid_password`. */
  password?: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code?: string;
}

/** Everything that is stored about a user. */
export interface AccountExport {
  /** ISO-8601 in UTC. */
  exportedAt: string;
  /** The account. */
  profile: {
    /** The id of the account. */
    id: string;
    /** Its e-mail address. */
    email: string;
    /** The name to show. */
    displayName: string | null;
    /** The image that the provider gave. */
    avatarUrl: string | null;
    /** Whether the account has a password. */
    hasPassword: boolean;
    /** ISO-8601 in UTC. */
    createdAt: string;
    /** ISO-8601 in UTC. */
    updatedAt: string;
  };
  /** The connected providers of sign-ins. */
  identities: Array<{
    /** The slug of the provider. */
    provider: string;
    /** Whose subject it is. */
    issuer: string | null;
    /** The user at the provider. */
    subject: string;
    /** The verified address that the provider reported. */
    email: string | null;
    /** ISO-8601 in UTC. */
    linkedAt: string;
    /** Whether a sign-in with it is a fresh proof. */
    confirmed: boolean;
  }>;
  /** The public parts of passkeys. */
  passkeys: Array<{
    /** The id of the passkey here. */
    id: string;
    /** Its name. */
    label: string;
    /** The domain that it belongs to. */
    rpId: string;
    /** The id of the credential, in base64url. */
    credentialId: string;
    /** Its COSE key, in base64url. */
    publicKey: string;
    /** Whether the authenticator has a copy elsewhere. */
    backedUp: boolean;
    /** How a browser reaches the authenticator. */
    transports: Array<string>;
    /** ISO-8601 in UTC. */
    createdAt: string;
    /** ISO-8601 in UTC. */
    lastUsedAt: string | null;
  }>;
  /** The second factor, without its secret. */
  secondFactor: SecondFactorState;
  /** The connected API keys. */
  apiKeys: Array<{
    /** The provider of the key. */
    provider: string;
    /** The last characters of the key, masked. */
    hint: string;
    /** ISO-8601 in UTC. */
    connectedAt: string;
  }>;
  /** The sessions, with those that ended within a day. */
  sessions: Array<{
    /** The id of the session. */
    id: string;
    /** The kind of sign-in that began it. */
    kind: string;
    /** The provider whose identity began it. */
    provider: string | null;
    /** The passkey that began it. */
    passkeyId: string | null;
    /** Its name, where it has one. */
    label: string | null;
    /** The network that it began in, shortened. */
    network: string | null;
    /** The `User-Agent` that it began with. */
    userAgent: string | null;
    /** ISO-8601 in UTC. */
    createdAt: string;
    /** How it proved the account, as in the claim `amr` of its access tokens. */
    amr: string | null;
    /** When it last proved the account, ISO-8601 in UTC. */
    provenAt: string | null;
    /** ISO-8601 in UTC. */
    lastSeenAt: string;
    /** ISO-8601 in UTC. */
    expiresAt: string;
    /** ISO-8601 in UTC. */
    endedAt: string | null;
    /** Why it ended early. */
    endReason: string | null;
  }>;
  /** The audit trail, newest first: at most 10,000 events. */
  events: Array<SigninEvent>;
  /** How many events there are in all. */
  eventsStored: number;
}

/** The second factor of the account. */
export interface SecondFactorState {
  /** Whether sign-ins need a second factor. */
  enabled: boolean;
  /** How many recovery codes are unused. */
  recoveryCodesLeft: number;
}

/** One event of the account. A field that does not apply is null. */
export interface SigninEvent {
  /** When it happened, ISO-8601 in UTC. */
  at: string;
  /** What happened, such as `session.created`. */
  type: string;
  /** Whether it succeeded. */
  outcome: "success" | "failure";
  /** The id of its session. */
  sessionId: string | null;
  /** The shortened address of the client. */
  network: string | null;
  /** The `User-Agent` header of the client, at most 256 characters. */
  userAgent: string | null;
  /** Further facts by name, depending on the type. */
  detail: Record<string, unknown>;
}

/** The access token of a refresh by cookie, and the user. */
export interface AccessAnswer {
  /** The bearer token of requests: a JWT. */
  accessToken: string;
  /** Always `Bearer`. */
  tokenType: "Bearer";
  /** For how many seconds the access token is valid. */
  expiresIn: number;
  /** The user. */
  user: AccountUser;
}

/** What proves the account: exactly one of the four. */
export interface Reauthentication {
  /** The password. A wrong one is 400 `invalid_password`. */
  password?: string;
  /** The mailed code: 8 digits. */
  code?: string;
  /** The code of the authenticator app, 6 digits, or a recovery code. A wrong one is 400 `invalid_second_factor`. */
  secondFactor?: string;
  /** `AuthenticationResponseJSON` of WebAuthn. One of another account is 400 `invalid_passkey`. */
  credential?: AuthenticationResponse;
}

/** `AuthenticationResponseJSON` of WebAuthn. Further fields are ignored. */
export interface AuthenticationResponse {
  /** The id of the credential, in base64url. */
  id: string;
  /** The same as `id`. */
  rawId: string;
  /** `public-key`. */
  type: string;
  /** What the authenticator answered. Binary fields are base64url. */
  response: {
    /** What the browser says of the request, which the authenticator signed. */
    clientDataJSON: string;
    /** What the authenticator says of itself. */
    authenticatorData: string;
    /** The signature of both. */
    signature: string;
    /** The account of the passkey. A response without it is refused. */
    userHandle?: string;
  };
}

/** The second factor of a sign-in with a provider. */
export interface IdentityFactor {
  /** The present code of the authenticator app, 6 digits, or a recovery code; blanks, hyphens and case do not matter. */
  secondFactor: string;
}

/** A new secret, good for ten minutes. */
export interface TotpOptions {
  /** The secret in base32, for apps that read no QR code. */
  secret: string;
  /** The secret as an `otpauth:` address. */
  uri: string;
  /** The address as a QR code: an SVG image. */
  qr: string;
}

/** New recovery codes: they are shown this once. */
export interface RecoveryCodeList {
  /** 10 codes, each good once in place of a code of the app. */
  recoveryCodes: Array<string>;
}

/** A code that shows that the app has the secret. */
export interface TotpCode {
  /** The present code of the app. A wrong one is 400 `invalid_second_factor`. */
  code: string;
}

/** The live sessions of the user. */
export interface SessionList {
  /** The sessions. */
  sessions: Array<Session>;
}

/** A session of the user. */
export interface Session {
  /** The id of the session. */
  id: string;
  /** The kind of sign-in that began it. */
  kind: "browser" | "native" | "password" | "code";
  /** When it began, ISO-8601 in UTC. */
  createdAt: string;
  /** When it was last used, ISO-8601 in UTC. */
  lastSeenAt: string;
  /** The network that it began in, shortened; null where it is unknown. */
  network: string | null;
  /** The `User-Agent` that it began with; null where there was none. */
  userAgent: string | null;
  /** Whether it is the session of this request. */
  current: boolean;
}

/** The last events of the account. */
export interface SigninEventList {
  /** At most 100 events, newest first. */
  events: Array<SigninEvent>;
}

/** A stored key. */
export interface ConnectedApiKey {
  /** The provider of the key. */
  providerSlug: "openai" | "anthropic" | "gemini";
  /** The last characters of the stored API key, masked. */
  hint: string;
}

/** An API key to store. */
export interface ConnectApiKey {
  /** The provider of the key. */
  providerSlug: "openai" | "anthropic" | "gemini";
  /** The key: printable ASCII without spaces, trimmed; at most 4,096 characters. It is stored sealed. */
  apiKey: string;
}

/** The identities of the account. */
export interface IdentityList {
  /** The oldest first. */
  identities: Array<Identity>;
}

/** An identity that signs in to the account. */
export interface Identity {
  /** The slug of the provider. */
  provider: string;
  /** When it was linked, ISO-8601 in UTC. */
  linkedAt: string;
  /** Whether a sign-in with it is a fresh proof. */
  confirmed: boolean;
}

/** A refresh token, where it is not in the cookie. */
export interface Refresh {
  /** The refresh token; left out by browsers. */
  refreshToken?: string;
}

/** Which sessions to end. */
export interface Logout {
  /** `local` this session, `others` all others, `global` all; by default `local`. */
  scope?: "local" | "others" | "global";
}

/** A JSON Web Key Set (RFC 7517). */
export interface KeySet {
  /** The public keys, newest first. */
  keys: Array<{
    /** The type of the key (RFC 8037). */
    kty: "OKP";
    /** The curve of the key. */
    crv: "Ed25519";
    /** The public key, in base64url. */
    x: string;
    /** The id of the key, as the header of a token names it. */
    kid: string;
    /** The algorithm of the signatures. */
    alg: "EdDSA";
    /** The use of the key: signatures. */
    use: "sig";
  }>;
}

/** The metadata of an authorization server (RFC 8414). */
export interface ServerMetadata {
  /** The address of this server, as tokens have it in `iss`. */
  issuer: string;
  /** The address of the public keys; absent under HS256. */
  jwksUri?: string;
  /** The address of `POST /auth/native/token`. */
  tokenEndpoint: string;
  /** The response types of OAuth that are served. */
  responseTypesSupported: Array<string>;
  /** The PKCE methods that are served. */
  codeChallengeMethodsSupported: Array<"S256">;
  /** The address of the documentation; by default of this document. */
  serviceDocumentation: string;
}

/** An e-mail address with its password. */
export interface PasswordLogin {
  /** The e-mail address; trimmed, compared without case. */
  email: string;
  /** The password; it is never trimmed. */
  password: string;
  /** The code of the authenticator app, 6 digits, or a recovery code, if the account has a second factor. Without it the answer is 401 `second_factor_required`, with a wrong one 401 `second_factor_rejected`; nothing is used up then. */
  secondFactor?: string;
}

/** A mailed code, with its address. */
export interface CodeLogin {
  /** The e-mail address; trimmed, compared without case. */
  email: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code: string;
  /** The code of the authenticator app, 6 digits, or a recovery code, if the account has a second factor. Without it the answer is 401 `second_factor_required`, with a wrong one 401 `second_factor_rejected`; nothing is used up then. */
  secondFactor?: string;
}

/** A mailed sign-up code, and the new account. */
export interface SignupComplete {
  /** The e-mail address; trimmed, compared without case. */
  email: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code: string;
  /** The new password: 10 to 256 characters, and none of the common ones. It is never trimmed. Left out where the browser came back from a provider whose address proves nothing: its identity is the way to sign in. */
  password?: string;
  /** The name to show, one line of at most 100 characters; null or left out where there is none. */
  displayName?: string | null;
}

/** A new password, and what proves that its owner wants it: one of the two. */
export interface PasswordChange {
  /** The present password. A wrong one is 400 `invalid_password`. */
  currentPassword?: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code?: string;
  /** The new password: 10 to 256 characters, and none of the common ones. It is never trimmed. */
  newPassword: string;
}

/** A mailed code, and the new password. */
export interface ResetComplete {
  /** The e-mail address; trimmed, compared without case. */
  email: string;
  /** The mailed code: 8 digits, or 26 letters and digits; blanks, hyphens and case do not matter. */
  code: string;
  /** The new password: 10 to 256 characters, and none of the common ones. It is never trimmed. */
  password: string;
  /** The code of the authenticator app, 6 digits, or a recovery code, if the account has a second factor. Without it the answer is 401 `second_factor_required`, with a wrong one 401 `second_factor_rejected`; nothing is used up then. */
  secondFactor?: string;
}

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export interface CreationOptions {
  /** The relying party. */
  rp: {
    /** The domain that the passkey will belong to. */
    id: string;
    /** Its name for people. */
    name: string;
  };
  /** The account. */
  user: {
    /** Its handle, in base64url. */
    id: string;
    /** Its e-mail address. */
    name: string;
    /** Its name, or its e-mail address. */
    displayName: string;
  };
  /** 32 random bytes, in base64url. */
  challenge: string;
  /** The algorithms, the preferred one first. */
  pubKeyCredParams: Array<{
    /** `public-key`. */
    type: "public-key";
    /** EdDSA (-8), ES256 (-7) or RS256 (-257). */
    alg: number;
  }>;
  /** For how long the challenge is valid, in milliseconds. */
  timeout: number;
  /** The passkeys of the account: their authenticators make no other. */
  excludeCredentials: Array<CredentialDescriptor>;
  /** What the authenticator must be able to do. */
  authenticatorSelection: {
    /** It keeps the passkey itself. */
    residentKey: "required";
    /** The same, for older browsers. */
    requireResidentKey: true;
    /** It verifies its user, as by PIN or fingerprint. */
    userVerification: "required";
  };
  /** No proof of its maker is wanted. */
  attestation: "none";
}

/** A credential that exists already. */
export interface CredentialDescriptor {
  /** `public-key`. */
  type: "public-key";
  /** The id of the credential, in base64url. */
  id: string;
  /** How a browser reaches the authenticator. */
  transports: Array<string>;
}

/** A passkey of the user. */
export interface Passkey {
  /** The id of the passkey here; not that of the credential. */
  id: string;
  /** A name of the user's choice: one line of 1 to 100 characters. */
  label: string;
  /** When it was added, ISO-8601 in UTC. */
  createdAt: string;
  /** When it last signed in, ISO-8601 in UTC; null before the first time. */
  lastUsedAt: string | null;
  /** Whether the authenticator has a copy elsewhere, as synchronized passkeys have. */
  backedUp: boolean;
}

/** A passkey to add. */
export interface AddPasskey {
  /** What `navigator.credentials.create()` answered, as `toJSON()` writes it. */
  credential: RegistrationResponse;
  /** A name of the user's choice: one line of 1 to 100 characters. By default `Passkey`. */
  label?: string | null;
}

/** `RegistrationResponseJSON` of WebAuthn. Further fields are ignored. */
export interface RegistrationResponse {
  /** The id of the credential, in base64url. */
  id: string;
  /** The same as `id`. */
  rawId: string;
  /** `public-key`. */
  type: string;
  /** What the authenticator answered. Binary fields are base64url. */
  response: {
    /** What the browser says of the request, which the authenticator signed. */
    clientDataJSON: string;
    /** The new credential. */
    attestationObject: string;
    /** How the browser reaches the authenticator. */
    transports?: Array<string> | null;
  };
}

/** The user's passkeys. */
export interface PasskeyList {
  /** At most 20, oldest first. */
  passkeys: Array<Passkey>;
}

/** A new name. */
export interface RenamePasskey {
  /** A name of the user's choice: one line of 1 to 100 characters. */
  label: string;
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn. */
export interface RequestOptions {
  /** 32 random bytes, in base64url. */
  challenge: string;
  /** The domain whose passkeys can sign in. */
  rpId: string;
  /** For how long the challenge is valid, in milliseconds. */
  timeout: number;
  /** The authenticator verifies its user, as by PIN or fingerprint. */
  userVerification: "required";
}

/** Nothing that is needed. */
export interface PasskeySignInRequest {
  /** Ignored: the answer is the same for every address. */
  email?: string;
}

/** A passkey's answer to the challenge. */
export interface PasskeySignIn {
  /** What `navigator.credentials.get()` answered, as `toJSON()` writes it. */
  credential: AuthenticationResponse;
  /** `true` answers both tokens and sets no cookie; by default the refresh token is in the cookie. */
  native?: boolean;
}

/** Why a request failed. */
export interface ErrorBody {
  /** A sentence to show to the user. */
  error: string;
  /** A stable name for programs, such as `invalid_code`. */
  code: string;
  /** The field and the rule, where a request is not valid. */
  details?: string;
  /** How the account can be proven, where `reauthentication_required` asks for it. */
  ways?: Array<"password" | "code" | "passkey" | "second_factor">;
  /** Also in `X-Request-Id`, and in the log. */
  requestId: string;
}

/** The operations of the tag `system`. */
export interface SystemNamespace {
  /** Check that the program runs. */
  getHealth(options?: CallOptions): Promise<Health>;
  /** Get this document. */
  getDocument(options?: CallOptions): Promise<OpenApiDocument>;
  /** Check that the server can serve requests. */
  getReadiness(options?: CallOptions): Promise<Ready>;
}

/** The operations of the tag `login`. */
export interface LoginNamespace {
  /** Begin a sign-in, or link a provider. */
  start(provider: string, input?: {
    /** `login` signs in, `link` connects the provider to the bearer's account; by default `login`. */
    mode?: "login" | "link";
    /** `true` for a native client, which also sends the three parameters below; by default `false`. */
    native?: "true" | "false";
    /** The loopback address of a native client that gets the code: `http://127.0.0.1:PORT`. */
    redirectTo?: string;
    /** The PKCE challenge: SHA-256 of the verifier, 43 characters of base64url. */
    codeChallenge?: string;
    /** The PKCE method; only `S256`. */
    codeChallengeMethod?: "S256";
  }, options?: CallOptions): Promise<LoginAnswer>;
  /** Complete a sign-in at the provider's redirect. */
  complete(provider: string, options?: CallOptions): Promise<void>;
  /** Receive the callback of a provider that posts it. */
  postCallback(provider: string, options?: CallOptions): Promise<void>;
}

/** The operations of the tag `native`. */
export interface NativeNamespace {
  /** Exchange the one-time code of a native sign-in for tokens. */
  exchangeCode(input: NativeToken, options?: CallOptions): Promise<TokenAnswer>;
}

/** The operations of the tag `account`. */
export interface AccountNamespace {
  /** Get the current user and its connections. */
  getMe(options?: CallOptions): Promise<Me>;
  /** Change the name to show. */
  updateMe(input: ProfileChange, options?: CallOptions): Promise<Me>;
  /** Delete the account. */
  deleteMe(input?: AccountDeletion, options?: CallOptions): Promise<void>;
  /** List the providers that can be connected, and those that are. */
  listProviders(options?: CallOptions): Promise<ProviderList>;
  /** Mail a code to a new address of the account. */
  sendEmailCode(input: CodeRequest, options?: CallOptions): Promise<Notice>;
  /** Change the address with the mailed code. */
  changeEmail(input: EmailChange, options?: CallOptions): Promise<void>;
  /** Mail a code to delete the account with. */
  sendDeleteCode(options?: CallOptions): Promise<Notice>;
  /** Export everything that is stored about the user. */
  exportMe(options?: CallOptions): Promise<AccountExport>;
  /** Mail a code to prove the account with. */
  sendReauthenticationCode(options?: CallOptions): Promise<Notice>;
  /** Prove the account afresh. */
  reauthenticateSession(input: Reauthentication, options?: CallOptions): Promise<AccessAnswer>;
  /** Get whether a second factor is on. */
  getSecondFactor(options?: CallOptions): Promise<SecondFactorState>;
  /** Sign in with an unconfirmed identity and the second factor. */
  loginIdentity(input: IdentityFactor, options?: CallOptions): Promise<AccessAnswer>;
  /** Get a secret for an authenticator app. */
  createTotpOptions(options?: CallOptions): Promise<TotpOptions>;
  /** Switch the second factor on with a code of the app. */
  enableTotp(input: TotpCode, options?: CallOptions): Promise<RecoveryCodeList>;
  /** Switch the second factor off. */
  disableTotp(options?: CallOptions): Promise<void>;
  /** Make ten new recovery codes. */
  createRecoveryCodes(options?: CallOptions): Promise<RecoveryCodeList>;
}

/** The operations of the tag `sessions`. */
export interface SessionsNamespace {
  /** List the sessions of the user. */
  list(options?: CallOptions): Promise<SessionList>;
  /** End one of the user's own sessions. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Exchange a refresh token for its successor. */
  refresh(input?: Refresh, options?: CallOptions): Promise<TokenAnswer | AccessAnswer>;
  /** End this session, the others, or all. */
  logout(input?: Logout, options?: CallOptions): Promise<void>;
  /** List the public keys of access tokens. */
  listPublishedKeys(options?: CallOptions): Promise<KeySet>;
  /** Get the metadata of this authorization server (RFC 8414). */
  getServerMetadata(options?: CallOptions): Promise<ServerMetadata>;
}

/** The operations of the tag `events`. */
export interface EventsNamespace {
  /** List the events of the user's own account, newest first. */
  list(options?: CallOptions): Promise<SigninEventList>;
}

/** The operations of the tag `connections`. */
export interface ConnectionsNamespace {
  /** Connect an API-key provider. */
  connectApiKey(input: ConnectApiKey, options?: CallOptions): Promise<ConnectedApiKey>;
  /** Disconnect a provider. */
  disconnectProvider(provider: string, options?: CallOptions): Promise<void>;
  /** List the identities of the account, oldest first. */
  listIdentities(options?: CallOptions): Promise<IdentityList>;
  /** Confirm an identity that was linked without fresh proof. */
  confirmIdentity(provider: string, options?: CallOptions): Promise<void>;
}

/** The operations of the tag `passwords`. */
export interface PasswordsNamespace {
  /** Sign in with e-mail address and password. */
  login(input: PasswordLogin, options?: CallOptions): Promise<TokenAnswer>;
  /** Mail a code to sign in with. */
  sendLoginCode(input: CodeRequest, options?: CallOptions): Promise<Notice>;
  /** Sign in with the mailed code. */
  completeCodeLogin(input: CodeLogin, options?: CallOptions): Promise<TokenAnswer>;
  /** Mail a sign-up code. */
  sendSignupCode(input: CodeRequest, options?: CallOptions): Promise<Notice>;
  /** Create an account with the mailed code. */
  completeSignup(input: SignupComplete, options?: CallOptions): Promise<TokenAnswer | AccessAnswer>;
  /** Mail a code to change the password with. */
  sendCode(options?: CallOptions): Promise<Notice>;
  /** Change the password. */
  change(input: PasswordChange, options?: CallOptions): Promise<void>;
  /** Mail a code to set a new password. */
  sendResetCode(input: CodeRequest, options?: CallOptions): Promise<Notice>;
  /** Set a new password with the mailed code. */
  completeReset(input: ResetComplete, options?: CallOptions): Promise<TokenAnswer>;
}

/** The operations of the tag `passkeys`. */
export interface PasskeysNamespace {
  /** Get what a browser needs to make a passkey. */
  createOptions(options?: CallOptions): Promise<CreationOptions>;
  /** Add a passkey to the account. */
  create(input: AddPasskey, options?: CallOptions): Promise<Passkey>;
  /** List the user's passkeys, oldest first. */
  list(options?: CallOptions): Promise<PasskeyList>;
  /** Rename a passkey. */
  update(id: string, input: RenamePasskey, options?: CallOptions): Promise<Passkey>;
  /** Remove a passkey. */
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Get what a browser needs to sign in with a passkey. */
  createLoginOptions(input?: PasskeySignInRequest, options?: CallOptions): Promise<RequestOptions>;
  /** Sign in with a passkey. */
  login(input: PasskeySignIn, options?: CallOptions): Promise<TokenAnswer | AccessAnswer>;
}

/** The operations of the tag `page`. */
export interface PageNamespace {
  /** Get the sign-in and account page. */
  get(options?: CallOptions): Promise<Blob>;
  /** Get the style sheet of the page. */
  getStyle(options?: CallOptions): Promise<Blob>;
  /** Get the script of the page. */
  getScript(options?: CallOptions): Promise<Blob>;
  /** Get the built-in mark. */
  getIcon(options?: CallOptions): Promise<Blob>;
  /** Get the list of common passwords. */
  getCommonPasswords(options?: CallOptions): Promise<Blob>;
}

/** The namespaces. */
export interface Namespaces {
  system: SystemNamespace;
  login: LoginNamespace;
  native: NativeNamespace;
  account: AccountNamespace;
  sessions: SessionsNamespace;
  events: EventsNamespace;
  connections: ConnectionsNamespace;
  passwords: PasswordsNamespace;
  passkeys: PasskeysNamespace;
  page: PageNamespace;
}

/** Every operation by its `operationId`. */
export interface Operations {
  getHealth: SystemNamespace["getHealth"];
  getDocument: SystemNamespace["getDocument"];
  getReadiness: SystemNamespace["getReadiness"];
  startLogin: LoginNamespace["start"];
  completeLogin: LoginNamespace["complete"];
  postCallback: LoginNamespace["postCallback"];
  exchangeNativeCode: NativeNamespace["exchangeCode"];
  getMe: AccountNamespace["getMe"];
  updateMe: AccountNamespace["updateMe"];
  deleteMe: AccountNamespace["deleteMe"];
  listProviders: AccountNamespace["listProviders"];
  sendEmailCode: AccountNamespace["sendEmailCode"];
  changeEmail: AccountNamespace["changeEmail"];
  sendDeleteCode: AccountNamespace["sendDeleteCode"];
  exportMe: AccountNamespace["exportMe"];
  sendReauthenticationCode: AccountNamespace["sendReauthenticationCode"];
  reauthenticateSession: AccountNamespace["reauthenticateSession"];
  getSecondFactor: AccountNamespace["getSecondFactor"];
  loginIdentity: AccountNamespace["loginIdentity"];
  createTotpOptions: AccountNamespace["createTotpOptions"];
  enableTotp: AccountNamespace["enableTotp"];
  disableTotp: AccountNamespace["disableTotp"];
  createRecoveryCodes: AccountNamespace["createRecoveryCodes"];
  listSessions: SessionsNamespace["list"];
  deleteSession: SessionsNamespace["delete"];
  listEvents: EventsNamespace["list"];
  connectApiKey: ConnectionsNamespace["connectApiKey"];
  disconnectProvider: ConnectionsNamespace["disconnectProvider"];
  listIdentities: ConnectionsNamespace["listIdentities"];
  confirmIdentity: ConnectionsNamespace["confirmIdentity"];
  refreshSession: SessionsNamespace["refresh"];
  logoutSession: SessionsNamespace["logout"];
  listPublishedKeys: SessionsNamespace["listPublishedKeys"];
  getServerMetadata: SessionsNamespace["getServerMetadata"];
  loginPassword: PasswordsNamespace["login"];
  sendLoginCode: PasswordsNamespace["sendLoginCode"];
  completeCodeLogin: PasswordsNamespace["completeCodeLogin"];
  sendSignupCode: PasswordsNamespace["sendSignupCode"];
  completeSignup: PasswordsNamespace["completeSignup"];
  sendPasswordCode: PasswordsNamespace["sendCode"];
  changePassword: PasswordsNamespace["change"];
  sendPasswordResetCode: PasswordsNamespace["sendResetCode"];
  completePasswordReset: PasswordsNamespace["completeReset"];
  createPasskeyOptions: PasskeysNamespace["createOptions"];
  createPasskey: PasskeysNamespace["create"];
  listPasskeys: PasskeysNamespace["list"];
  updatePasskey: PasskeysNamespace["update"];
  deletePasskey: PasskeysNamespace["delete"];
  createPasskeyLoginOptions: PasskeysNamespace["createLoginOptions"];
  loginPasskey: PasskeysNamespace["login"];
  getPage: PageNamespace["get"];
  getPageStyle: PageNamespace["getStyle"];
  getPageScript: PageNamespace["getScript"];
  getPageIcon: PageNamespace["getIcon"];
  getPageCommonPasswords: PageNamespace["getCommonPasswords"];
}
