import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { OAuthProviderConfig } from "../config/provider-config.ts";
import { failure } from "../errors.ts";
import { EMAIL_PAGES_MAX } from "../limits.ts";
import { type EmailAddress, parseEmail } from "../mail/email-address.ts";
import { findSubjectFault } from "./id-token.ts";
import { toAvatarUrl, toDisplayName } from "./profile.ts";
import type { VerifiedIdentity } from "./provider.ts";
import type { ProviderFetch } from "./provider-fetch.ts";

const EMAILS = "/user/emails";
const EMAILS_PER_PAGE = 100;

/** The API of a provider, with the token of one user. */
export interface UserApi {
  config: OAuthProviderConfig;
  fetchProvider: ProviderFetch;
  accessToken: string;
}

/** Whose access token it is. @throws SigninError `identity_rejected`, `email_unverified`, `provider_error`, `provider_unavailable` */
export function readProfile(api: UserApi): Promise<VerifiedIdentity> {
  switch (api.config.preset) {
    case "github":
      return readGithub(api);
    case "discord":
      return readDiscord(api);
    default:
      return readGeneric(api);
  }
}

async function readGithub(api: UserApi): Promise<VerifiedIdentity> {
  const { id, name, login, avatar_url: avatar } = await getObject(api, "/user");
  // The number is permanent. A login name can be released and taken by another user.
  if (!Number.isSafeInteger(id) || Number(id) <= 0)
    throw failure("identity_rejected", "id is no number");
  const email = chooseVerifiedEmail(await listEmails(api));
  const isRequired = api.config.addresses === "required";
  if (email === undefined && isRequired) throw failure("email_unverified");
  return {
    subject: String(id),
    email: isRequired ? email : undefined,
    claimedEmail: email?.email,
    displayName: toDisplayName(name) ?? toDisplayName(login),
    avatarUrl: toAvatarUrl(avatar),
  };
}

async function readDiscord(api: UserApi): Promise<VerifiedIdentity> {
  const { id, username, global_name, avatar, email } = await getObject(api, "/users/@me");
  const subject = requireSubject(id);
  return {
    subject,
    email: undefined,
    claimedEmail: parseEmail(email)?.email,
    displayName: toDisplayName(global_name) ?? toDisplayName(username),
    avatarUrl: toAvatarUrl(
      typeof avatar === "string"
        ? `https://cdn.discordapp.com/avatars/${encodeURIComponent(subject)}/${encodeURIComponent(avatar)}.png`
        : undefined,
    ),
  };
}

async function readGeneric(api: UserApi): Promise<VerifiedIdentity> {
  const { sub, id, email, name } = await getObject(api, "");
  return {
    subject: requireSubject(sub ?? id),
    email: undefined,
    claimedEmail: parseEmail(email)?.email,
    displayName: toDisplayName(name),
    avatarUrl: undefined,
  };
}

/** A number counts as its digits. */
function requireSubject(value: unknown): string {
  const subject = Number.isSafeInteger(value) ? String(value) : value;
  const fault = findSubjectFault(subject);
  if (fault !== undefined || typeof subject !== "string") throw failure("identity_rejected", fault);
  return subject;
}

/** Reads every page: the primary address may be on any of them. The URLs are made here, not taken from the response. */
async function listEmails(api: UserApi): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let page = 1; page <= EMAIL_PAGES_MAX; page += 1) {
    const path = `${EMAILS}?per_page=${EMAILS_PER_PAGE}&page=${page}`;
    const { json, hasNext } = await getJson(api, path);
    if (!Array.isArray(json)) throw failure("provider_error", "the e-mail endpoint gave no list");
    all.push(...json);
    if (!hasNext) break;
  }
  return all;
}

async function getObject(api: UserApi, path: string): Promise<Record<string, unknown>> {
  const { json } = await getJson(api, path);
  return isJsonObject(json) ? json : {};
}

async function getJson({ config, fetchProvider, accessToken }: UserApi, path: string) {
  const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
  const response = await fetchProvider(config.apiUrl + path, { headers });
  // GitHub: the user removed the scopes, or an organization refuses them.
  const isRefused = response.status === 403 || response.status === 404;
  if (isRefused && config.addresses === "required") throw failure("email_unverified");
  if (isRefused && path.startsWith(EMAILS)) return { json: [], hasNext: false };
  const json = parseJson(await response.text());
  if (response.status !== 200 || json === undefined) {
    throw failure("provider_error", `${path || config.apiUrl} has status ${response.status}`);
  }
  return { json, hasNext: /\brel="?next"?/.test(response.headers.get("link") ?? "") };
}

/**
 * The address of a provider's list: the primary one if it is verified, else another verified one, else none (Sign-in §4,
 * provider validation 2). Only a literal `true` means verified.
 * @internal for tests
 */
export function chooseVerifiedEmail(list: readonly unknown[]): EmailAddress | undefined {
  const verified = list.flatMap((entry) => {
    if (!isJsonObject(entry) || entry.verified !== true) return [];
    const address = parseEmail(entry.email);
    return address ? [{ address, isPrimary: entry.primary === true }] : [];
  });
  return (verified.find(({ isPrimary }) => isPrimary) ?? verified[0])?.address;
}
