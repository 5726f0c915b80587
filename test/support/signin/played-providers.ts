import assert from "node:assert/strict";
import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import type { Clock } from "../../../shared/clock.ts";
import type { Environment } from "../../../shared/env.ts";
import type { Person } from "./identity-provider.ts";

// Each preset at its real addresses, and two generic providers, with what is peculiar to each.

export const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";
const MICROSOFT = "https://login.microsoftonline.com";
export const APPLE = "https://appleid.apple.com";
const APPLE_PAIR = await generateKeyPair("ES256", { extractable: true });
export const APPLE_KEY = await exportPKCS8(APPLE_PAIR.privateKey);

const pairOf = (name: string) => ({
  [`PROVIDER_${name}_CLIENT_ID`]: `${name.toLowerCase()}-client`,
  [`PROVIDER_${name}_CLIENT_SECRET`]: `secret-of-${name.toLowerCase()}`,
});

/** The variables of every preset and of `acme` (OpenID Connect) and `plain` (OAuth 2.0), in place of the specified pair. */
export const PLAYED_ENV: Environment = {
  OIDC_PROVIDER_CLIENT_ID: "",
  OIDC_PROVIDER_CLIENT_SECRET: "",
  OAUTH_PROVIDER_CLIENT_ID: "",
  OAUTH_PROVIDER_CLIENT_SECRET: "",
  PROVIDERS: "google,microsoft,apple,github,gitlab,discord,acme,plain",
  ...pairOf("GOOGLE"),
  ...pairOf("MICROSOFT"),
  ...pairOf("GITHUB"),
  ...pairOf("GITLAB"),
  ...pairOf("DISCORD"),
  PROVIDER_APPLE_CLIENT_ID: "apple-client",
  PROVIDER_APPLE_TEAM_ID: "TEAM123456",
  PROVIDER_APPLE_KEY_ID: "KEY1234567",
  PROVIDER_APPLE_PRIVATE_KEY: APPLE_KEY.replaceAll("\n", "\\n"),
  ...pairOf("ACME"),
  PROVIDER_ACME_KIND: "oidc",
  PROVIDER_ACME_ISSUER: "https://acme.example.test",
  PROVIDER_ACME_LABEL: "Acme & Sons",
  ...pairOf("PLAIN"),
  PROVIDER_PLAIN_KIND: "oauth",
  PROVIDER_PLAIN_AUTHORIZE_URL: "https://plain.example.test/authorize",
  PROVIDER_PLAIN_TOKEN_URL: "https://plain.example.test/token",
  PROVIDER_PLAIN_API_URL: "https://plain.example.test/me",
  PROVIDER_PLAIN_SCOPES: "profile",
};

/** The variables of Apple alone. */
export const APPLE_ENV: Environment = {
  ...Object.fromEntries(Object.entries(PLAYED_ENV).filter(([name]) => /_APPLE_/.test(name))),
  PROVIDERS: "apple",
};

/** What a played provider gets from the one that holds codes, tokens and keys. */
export interface Play {
  clock: Clock;
  jwks: { keys: object[] };
  /** The claims that a test replaces. */
  changes: Record<string, unknown>;
  sign(claims: Record<string, unknown>): Promise<string>;
  redeem(form: URLSearchParams): Promise<{ person: Person; nonce: string | null } | undefined>;
  issueToken(person: Person): string;
  findPerson(request: Request): Person | undefined;
}

interface PlayedOidc {
  /** The address whose metadata are asked for. */
  place: string;
  metadata: Record<string, unknown>;
  claims(person: Person): Record<string, unknown>;
  userInfo?(person: Person): Record<string, unknown>;
  keys?(keys: object[]): object[];
}

const verified = ({ email, emailVerified }: Person) =>
  email === undefined ? {} : { email, email_verified: emailVerified };

const OIDC: Record<string, PlayedOidc> = {
  google: {
    place: "https://accounts.google.com",
    metadata: {
      issuer: "https://accounts.google.com",
      authorization_endpoint: "https://accounts.google.com/o/oauth2/v2/auth",
      token_endpoint: "https://oauth2.googleapis.com/token",
      jwks_uri: "https://www.googleapis.com/oauth2/v3/certs",
      userinfo_endpoint: "https://openidconnect.googleapis.com/v1/userinfo",
      token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
    },
    claims: (person) => ({ sub: person.subject, name: person.name, ...verified(person) }),
  },
  microsoft: {
    place: `${MICROSOFT}/common/v2.0`,
    metadata: {
      // The template: an ID token never has it.
      issuer: `${MICROSOFT}/{tenantid}/v2.0`,
      authorization_endpoint: `${MICROSOFT}/common/oauth2/v2.0/authorize`,
      token_endpoint: `${MICROSOFT}/common/oauth2/v2.0/token`,
      jwks_uri: `${MICROSOFT}/common/discovery/v2.0/keys`,
      userinfo_endpoint: "https://graph.microsoft.com/oidc/userinfo",
      token_endpoint_auth_methods_supported: ["client_secret_post", "private_key_jwt"],
    },
    // No email_verified: the administrator of the tenant writes the address.
    claims: ({ subject, name, email }) => ({
      iss: `${MICROSOFT}/${TENANT}/v2.0`,
      sub: subject,
      tid: TENANT,
      oid: "00000000-0000-0000-66f3-3332eca7ea81",
      ver: "2.0",
      name,
      preferred_username: email,
    }),
    keys: (keys) => keys.map((key) => ({ ...key, issuer: `${MICROSOFT}/{tenantid}/v2.0` })),
  },
  apple: {
    place: APPLE,
    metadata: {
      issuer: APPLE,
      authorization_endpoint: `${APPLE}/auth/authorize`,
      token_endpoint: `${APPLE}/auth/token`,
      jwks_uri: `${APPLE}/auth/keys`,
      response_modes_supported: ["query", "fragment", "form_post"],
      token_endpoint_auth_methods_supported: ["client_secret_post"],
    },
    // The name is not in the token, and truth is a text.
    claims: (person) => ({
      sub: person.subject,
      email: person.email,
      email_verified: String(person.emailVerified),
      nonce_supported: true,
    }),
  },
  gitlab: {
    place: "https://gitlab.com",
    metadata: {
      issuer: "https://gitlab.com",
      authorization_endpoint: "https://gitlab.com/oauth/authorize",
      token_endpoint: "https://gitlab.com/oauth/token",
      jwks_uri: "https://gitlab.com/oauth/discovery/keys",
      userinfo_endpoint: "https://gitlab.com/oauth/userinfo",
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    },
    claims: (person) => ({ sub: person.subject, ...verified(person) }),
    userInfo: ({ subject, name, email }) => ({
      sub: subject,
      name,
      email,
      email_verified: true,
      picture: "https://gitlab.com/uploads/-/system/user/avatar/1/avatar.png",
    }),
  },
  acme: {
    place: "https://acme.example.test",
    metadata: {
      issuer: "https://acme.example.test",
      authorization_endpoint: "https://acme.example.test/authorize",
      token_endpoint: "https://acme.example.test/token",
      jwks_uri: "https://acme.example.test/jwks",
      userinfo_endpoint: "https://acme.example.test/userinfo",
      // RFC 9207: a callback without `iss` is none of it.
      authorization_response_iss_parameter_supported: true,
    },
    claims: (person) => ({ sub: person.subject, name: person.name, ...verified(person) }),
  },
};

/** The answer of the played provider at this address; undefined if none has it. */
export async function answerAs(request: Request, play: Play): Promise<Response | undefined> {
  const url = new URL(request.url);
  const address = url.origin + url.pathname;
  for (const [slug, { place, metadata, ...oidc }] of Object.entries(OIDC)) {
    if (address === `${place}/.well-known/openid-configuration`) return Response.json(metadata);
    if (address === metadata.jwks_uri) {
      const { keys } = play.jwks;
      return Response.json({ keys: oidc.keys?.(keys) ?? keys });
    }
    if (address === metadata.token_endpoint) return oidcToken(slug, request, play);
    if (address === metadata.userinfo_endpoint) {
      const person = play.findPerson(request);
      if (!person || !oidc.userInfo) return new Response(null, { status: 401 });
      return Response.json(oidc.userInfo(person));
    }
  }
  const person = play.findPerson(request);
  switch (address) {
    case "https://discord.com/api/oauth2/token":
      return oauthToken("discord", request, play);
    case "https://github.com/login/oauth/access_token":
      return oauthToken("github", request, play);
    case "https://plain.example.test/token":
      return oauthToken("plain", request, play);
    case "https://discord.com/api/v10/users/@me":
      return person && Response.json(discordUser(person, play.changes));
    case "https://plain.example.test/me":
      return person && Response.json(plainUser(person, play.changes));
    case "https://api.github.com/user":
      return person && Response.json({ id: Number(person.subject), login: person.name });
    case "https://api.github.com/user/emails":
      return Response.json(person?.emails ?? []);
  }
}

/** What Apple posts beside the code of a first sign-in. */
export function toAppleUser({ name, email }: Person): string {
  const [firstName, ...rest] = name.split(" ");
  return JSON.stringify({ name: { firstName, lastName: rest.join(" ") }, email });
}

function discordUser({ subject, name, email, emailVerified }: Person, changes: object) {
  const avatar = "8342729096ea3675442027381ff50dfe";
  const names = { username: name.toLowerCase(), global_name: name, discriminator: "0" };
  return { id: subject, ...names, avatar, email, verified: emailVerified, ...changes };
}

function plainUser({ subject, name, email, emailVerified }: Person, changes: object) {
  return { id: Number(subject), name, email, verified: emailVerified, ...changes };
}

/** The grant, of a request that has the secret of the client in the form or in the header. */
async function redeem(slug: string, request: Request, play: Play) {
  const form = new URLSearchParams(await request.text());
  const pair = atob((request.headers.get("authorization") ?? "").replace("Basic ", ""));
  const [id = form.get("client_id"), secret = form.get("client_secret")] =
    pair === "" ? [] : pair.split(":");
  assert.equal(id, `${slug}-client`);
  if (slug === "apple") await requireAppleSecret(secret ?? "", play.clock);
  else assert.equal(secret, `secret-of-${slug}`);
  return play.redeem(form);
}

/** As Apple reads it: https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
async function requireAppleSecret(secret: string, clock: Clock): Promise<void> {
  const { payload, protectedHeader } = await jwtVerify(secret, APPLE_PAIR.publicKey, {
    algorithms: ["ES256"],
    issuer: "TEAM123456",
    audience: APPLE,
    subject: "apple-client",
    currentDate: new Date(clock.now()),
  });
  assert.equal(protectedHeader.kid, "KEY1234567");
  assert.equal(Number(payload.exp) - Number(payload.iat), 300);
}

async function oidcToken(slug: string, request: Request, play: Play): Promise<Response> {
  const grant = await redeem(slug, request, play);
  if (!grant) return Response.json({ error: "invalid_grant" }, { status: 400 });
  const now = Math.floor(play.clock.now() / 1000);
  const provider = OIDC[slug];
  assert.ok(provider);
  const claims = {
    iss: provider.metadata.issuer,
    aud: `${slug}-client`,
    iat: now,
    exp: now + 300,
    nonce: grant.nonce,
    ...provider.claims(grant.person),
    ...play.changes,
  };
  return Response.json({
    access_token: play.issueToken(grant.person),
    token_type: "Bearer",
    id_token: await play.sign(JSON.parse(JSON.stringify(claims))),
  });
}

async function oauthToken(slug: string, request: Request, play: Play): Promise<Response> {
  const grant = await redeem(slug, request, play);
  if (!grant) return Response.json({ error: "invalid_grant" }, { status: 400 });
  return Response.json({ access_token: play.issueToken(grant.person), token_type: "Bearer" });
}
