/**
 * What its addresses are good for at a first sign-in: `required` makes an account with a verified address, and refuses any other;
 * `verified` makes an account with a verified address, and a mailed code proves any other; with `unproven` a code proves each.
 */
export type AddressRule = "required" | "verified" | "unproven";

interface PresetValues {
  kind: "oidc" | "oauth";
  label: string;
  addresses: AddressRule;
  issuer?: string;
  /** Each of an OAuth 2.0 provider, by the end of its variable. */
  addressOf?: Record<"AUTHORIZE_URL" | "TOKEN_URL" | "API_URL", string>;
  scope?: string;
  tokenAuth?: "basic" | "post";
}

/** Providers whose addresses and peculiarities are known here. */
export type Preset = "google" | "microsoft" | "apple" | "github" | "gitlab" | "discord";

/** By slug. Every other provider is generic. */
export const PRESETS: Readonly<Record<Preset, PresetValues>> = {
  google: {
    kind: "oidc",
    label: "Google",
    addresses: "verified",
    issuer: "https://accounts.google.com",
    tokenAuth: "post",
  },
  microsoft: {
    kind: "oidc",
    label: "Microsoft",
    // A tenant's administrator writes any address.
    addresses: "unproven",
    issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
  },
  apple: {
    kind: "oidc",
    label: "Apple",
    addresses: "verified",
    issuer: "https://appleid.apple.com",
    scope: "openid email name",
    tokenAuth: "post",
  },
  github: {
    kind: "oauth",
    label: "GitHub",
    addresses: "unproven",
    addressOf: {
      AUTHORIZE_URL: "https://github.com/login/oauth/authorize",
      TOKEN_URL: "https://github.com/login/oauth/access_token",
      API_URL: "https://api.github.com",
    },
    scope: "read:user user:email",
  },
  gitlab: {
    kind: "oidc",
    label: "GitLab",
    addresses: "unproven",
    issuer: "https://gitlab.com",
  },
  discord: {
    kind: "oauth",
    label: "Discord",
    addresses: "unproven",
    addressOf: {
      AUTHORIZE_URL: "https://discord.com/oauth2/authorize",
      TOKEN_URL: "https://discord.com/api/oauth2/token",
      API_URL: "https://discord.com/api/v10",
    },
    scope: "identify email",
  },
};

// Of the rest, a capital letter says enough.
const LABELS: Readonly<Record<string, string>> = { linkedin: "LinkedIn", openai: "OpenAI" };

/** The name of a provider for people, by its slug. */
export function toPresetLabel(slug: string): string {
  const preset = Object.entries(PRESETS).find(([name]) => name === slug)?.[1];
  return preset?.label ?? LABELS[slug] ?? slug.charAt(0).toUpperCase() + slug.slice(1);
}

/** Whether a text can be a name in `PROVIDERS`: its capitals stand in the names of variables. */
export function isProviderName(text: string): boolean {
  return /^[a-z0-9]{1,32}$/.test(text);
}
