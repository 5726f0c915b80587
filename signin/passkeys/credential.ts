import { type Bytes, toBase64Url } from "../../shared/bytes.ts";
import { PasskeyFault } from "./fault.ts";

/** The id of a credential in base64url, which its two fields must agree on. @throws PasskeyFault */
export function getCredentialId({
  id,
  rawId,
  type,
}: {
  id: string;
  rawId: Bytes;
  type: string;
}): string {
  if (type !== "public-key") throw new PasskeyFault("credential", "type must be public-key");
  const text = toBase64Url(rawId);
  if (text === "" || text !== id) throw new PasskeyFault("credential", "id must equal rawId");
  return text;
}
