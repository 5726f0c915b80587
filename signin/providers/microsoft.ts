import { decodeJwt, type JWK } from "jose";
import type { AuthorizationServer } from "oauth4webapi";
import type { OidcProviderConfig } from "../config/provider-config.ts";
import { failure } from "../errors.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** The tenant of personal accounts. */
const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** Whether metadata at an address such as `…/common/v2.0` may name this issuer: the template, or one tenant's. */
export function isOwnIssuer({ issuer: template }: OidcProviderConfig, issuer: string): boolean {
  return issuer === template || findTenant(template, issuer) !== undefined;
}

/**
 * The issuer and the subject that an ID token must have: the template filled with its `tid`, where the configuration allows that
 * tenant. Its signature is not verified here.
 * @throws SigninError `identity_rejected`
 */
export function readTenant(
  { issuer: template, tenants }: OidcProviderConfig,
  { issuer: published }: AuthorizationServer,
  idToken: unknown,
): { tenant: string; issuer: string } {
  const { tid } = typeof idToken === "string" ? decodeClaims(idToken) : {};
  if (typeof tid !== "string" || !UUID.test(tid)) {
    throw failure("identity_rejected", "tid is no tenant");
  }
  const ownTenant = findTenant(template, published);
  if (!tenants.every((wanted) => isOfTenant(tid.toLowerCase(), wanted, ownTenant))) {
    throw failure("identity_rejected", "tid is another tenant");
  }
  return { tenant: tid, issuer: fillTemplate(template, tid) };
}

/** Whether a key may sign for the tenant: it has no issuer, or this one. */
export function signsFor(key: JWK, { tenant, issuer }: { tenant: string; issuer: string }) {
  const { issuer: own } = key as { issuer?: unknown };
  return own === undefined || (typeof own === "string" && fillTemplate(own, tenant) === issuer);
}

function isOfTenant(tid: string, wanted: string, ownTenant: string | undefined): boolean {
  switch (wanted) {
    case "common":
      return true;
    case "organizations":
      return tid !== CONSUMERS;
    case "consumers":
      return tid === CONSUMERS;
    default:
      // The metadata of a tenant that is named by a domain have its id.
      return tid === (UUID.test(wanted) ? wanted : ownTenant);
  }
}

function fillTemplate(template: string, tenant: string): string {
  return template.replace("{tenantid}", tenant);
}

function findTenant(template: string, issuer: string): string | undefined {
  const [before = "", after = ""] = template.split("{tenantid}");
  const tenant = issuer.slice(before.length, issuer.length - after.length);
  return UUID.test(tenant) && fillTemplate(template, tenant) === issuer
    ? tenant.toLowerCase()
    : undefined;
}

function decodeClaims(token: string): { tid?: unknown } {
  try {
    return decodeJwt(token);
  } catch {
    return {};
  }
}
