import { z } from "zod";
import { fromBase64Url } from "../../shared/bytes.ts";
import { type Environment, oneOf, text } from "../../shared/env.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { PROVIDER_LABEL_CHARACTERS_MAX } from "../limits.ts";
import { isOneLine } from "../one-line.ts";
import { hasNoCredentials, isWebUrl, toIssuer } from "./addresses.ts";
import { PRESETS, type Preset, toPresetLabel } from "./presets.ts";
import type { LoginProviderConfig, ProviderName } from "./provider-config.ts";

const webUrl = z
  .string()
  .refine(isWebUrl, "must be an http or https URL")
  .refine(hasNoCredentials, "must have no user name")
  .optional();
// RFC 6749 §3.3.
const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( +[\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The variables of one provider of `PROVIDERS`, without the `PROVIDER_<NAME>_` before them. */
const PROVIDER = z.object({
  CLIENT_ID: text,
  CLIENT_SECRET: text,
  KIND: oneOf(["oidc", "oauth"]).optional(),
  LABEL: z
    .string()
    .refine(
      (label) => label.length <= PROVIDER_LABEL_CHARACTERS_MAX && isOneLine(label),
      `must be one line of at most ${PROVIDER_LABEL_CHARACTERS_MAX} characters`,
    )
    .optional(),
  SCOPES: z.string().regex(SCOPES, "must be scopes, separated by blanks").optional(),
  ISSUER: webUrl,
  ISSUER_CHANGED: oneOf(["accept"], "must be accept, or not set").optional(),
  AUTHORIZE_URL: webUrl,
  TOKEN_URL: webUrl,
  API_URL: webUrl,
  TOKEN_AUTH: oneOf(["basic", "post"], "must be basic or post, or not set").optional(),
  TENANT: z
    .string()
    .regex(/^[a-z0-9.-]+$/i, "must be common, organizations, consumers, or the id of a tenant")
    .toLowerCase()
    .optional(),
  TEAM_ID: text,
  KEY_ID: text,
  PRIVATE_KEY: z
    .string()
    .transform(toPkcs8)
    .refine(isP256Key, "must be the content of the .p8 file: an ES256 key in PEM")
    .optional(),
});
type Read = z.output<typeof PROVIDER>;
type Name = keyof Read;

const EVERY: readonly Name[] = ["CLIENT_ID", "KIND", "LABEL", "SCOPES", "ISSUER_CHANGED"];
const BY_KIND: Record<ProviderName["kind"], readonly Name[]> = {
  oidc: ["ISSUER"],
  oauth: ["AUTHORIZE_URL", "TOKEN_URL", "API_URL"],
};
const APPLE_KEY: readonly Name[] = ["TEAM_ID", "KEY_ID", "PRIVATE_KEY"];

/** A variable that refuses the start, and why; never its value. */
export type Fault = [variable: string, message: string];

/** The providers of `PROVIDERS` in their order, without those that break a rule, and the broken rules. */
export function readProviders(
  names: readonly string[],
  env: Environment,
): { providers: LoginProviderConfig[]; faults: Fault[] } {
  const faults: Fault[] = [];
  const providers = names.flatMap((slug) => {
    const variables = `PROVIDER_${slug.toUpperCase()}`;
    const own = Object.keys(PROVIDER.shape).flatMap((name) => {
      const value = env[`${variables}_${name}`];
      return value ? [[name, value]] : [];
    });
    const { data, error } = PROVIDER.safeParse(Object.fromEntries(own));
    const found: Fault[] = error
      ? error.issues.map(({ path, message }) => [path.join("."), message])
      : listFaults(slug, data);
    faults.push(...found.map(([name, message]): Fault => [`${variables}_${name}`, message]));
    return data && found.length === 0 ? [toProvider(slug, variables, data)] : [];
  });
  return { providers, faults };
}

/** The variables that are missing, and those that this provider does not have. */
function listFaults(slug: string, read: Read): Fault[] {
  const preset = toPreset(slug);
  const known = preset && PRESETS[preset];
  const kind = known?.kind ?? read.KIND;
  if (kind === undefined) {
    return [
      ["KIND", `must be oidc or oauth: ${slug} is none of ${Object.keys(PRESETS).join(", ")}`],
    ];
  }
  if (read.KIND !== undefined && read.KIND !== kind) {
    return [["KIND", `must be ${kind} or left out: ${slug} is a preset`]];
  }
  const secrets: readonly Name[] = preset === "apple" ? APPLE_KEY : ["CLIENT_SECRET", "TOKEN_AUTH"];
  const needed = [
    "CLIENT_ID",
    ...secrets.filter((name) => name !== "TOKEN_AUTH"),
    ...(known ? [] : BY_KIND[kind]),
  ] as const;
  const allowed = [...EVERY, ...secrets, ...BY_KIND[kind], preset === "microsoft" && "TENANT"];
  return [
    ...needed.flatMap((name): Fault[] =>
      read[name] === undefined ? [[name, `must be set: PROVIDERS names ${slug}`]] : [],
    ),
    // The keys are those of the schema.
    ...(Object.keys(read) as Name[]).flatMap((name): Fault[] =>
      allowed.includes(name) ? [] : [[name, `is no variable of ${slug}: leave it out`]],
    ),
    ...(preset === "microsoft" && read.ISSUER !== undefined && !MICROSOFT_ISSUER.test(read.ISSUER)
      ? [["ISSUER", "must be an address with the tenant in it: …/common/v2.0"] as Fault]
      : []),
  ];
}

function toPreset(slug: string): Preset | undefined {
  return Object.hasOwn(PRESETS, slug) ? (slug as Preset) : undefined;
}

function toProvider(slug: string, variables: string, read: Read): LoginProviderConfig {
  const preset = toPreset(slug);
  const known = preset && PRESETS[preset];
  const shared = {
    slug,
    variables,
    preset,
    label: read.LABEL ?? known?.label ?? toPresetLabel(slug),
    acceptsIssuerChange: read.ISSUER_CHANGED === "accept",
    clientId: read.CLIENT_ID ?? "",
    clientSecret: read.CLIENT_SECRET ?? "",
    addresses: known?.addresses ?? "unproven",
    tokenAuth: read.TOKEN_AUTH ?? known?.tokenAuth,
  };
  const scope = read.SCOPES ?? known?.scope;
  if ((known?.kind ?? read.KIND) === "oauth") {
    const address = (name: "AUTHORIZE_URL" | "TOKEN_URL" | "API_URL") =>
      read[name] ?? known?.addressOf?.[name] ?? "";
    const apiUrl = withoutTrailing(address("API_URL"), "/");
    return {
      ...shared,
      kind: "oauth",
      scope: scope ?? "",
      issuer: new URL(apiUrl).origin,
      authorizeUrl: address("AUTHORIZE_URL"),
      tokenUrl: address("TOKEN_URL"),
      apiUrl,
    };
  }
  const { TENANT: tenant = preset === "microsoft" ? "common" : "" } = read;
  const given = read.ISSUER ?? known?.issuer?.replace("{tenantid}", tenant) ?? "";
  const metadataIssuer = toIssuer(given);
  const [, before, inIssuer = "", after] = MICROSOFT_ISSUER.exec(metadataIssuer) ?? [];
  return {
    ...shared,
    kind: "oidc",
    scope: withOpenid(scope ?? "openid email profile"),
    metadataIssuer,
    issuer: preset === "microsoft" ? `${before}{tenantid}${after}` : metadataIssuer,
    tenants: preset === "microsoft" ? [inIssuer.toLowerCase(), tenant] : [],
    appleKey:
      preset === "apple"
        ? {
            teamId: read.TEAM_ID ?? "",
            keyId: read.KEY_ID ?? "",
            privateKey: read.PRIVATE_KEY ?? "",
          }
        : undefined,
  };
}

/** `https://login.microsoftonline.com/common/v2.0`: what is before the tenant, the tenant, and what is after it. */
const MICROSOFT_ISSUER = /^(https?:\/\/[^/?#]+\/(?:[^?#]*\/)?)([\w.-]+)(\/v2\.0)$/;

function withOpenid(scope: string): string {
  return scope.split(" ").includes("openid") ? scope : `openid ${scope}`;
}

/** The addresses of a provider that must be https in staging and production, by their variables. */
export function listAddresses(provider: LoginProviderConfig): [variable: string, url: string][] {
  const { variables } = provider;
  if (provider.kind === "oidc") return [[`${variables}_ISSUER`, provider.metadataIssuer]];
  return [
    [`${variables}_AUTHORIZE_URL`, provider.authorizeUrl],
    [`${variables}_TOKEN_URL`, provider.tokenUrl],
    [`${variables}_API_URL`, provider.apiUrl],
  ];
}

/** The base64 of a PEM. Some files of variables have `\n` for its line feeds. */
function toPkcs8(pem: string): string {
  return pem
    .replaceAll("\\n", "\n")
    .replace(/-----[A-Z ]+-----/g, "")
    .replace(/\s/g, "");
}

// The object identifier of the curve, which is in every PKCS #8 of such a key (RFC 5480 §2.1.1.1).
const PRIME256V1 = "6,8,42,134,72,206,61,3,1,7";

function isP256Key(base64: string): boolean {
  const bytes = fromBase64Url(base64.replaceAll("+", "-").replaceAll("/", "_"));
  return bytes?.join().includes(PRIME256V1) === true;
}
