/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1), or undefined. The scheme is compared without case. */
export function readBearer(headers: Headers): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(headers.get("authorization") ?? "")?.[1];
}
