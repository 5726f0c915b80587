import { type Bytes, toBase64Url } from "../../shared/bytes.ts";
import { PasskeyFault } from "./fault.ts";

/** Both fields of a credential must have the same id. @throws PasskeyFault */
export function requireCredential({
  id,
  rawId,
  type,
}: {
  id: string;
  rawId: Bytes;
  type: string;
}): void {
  if (type !== "public-key") throw new PasskeyFault("credential", "type must be public-key");
  if (id === "" || id !== toBase64Url(rawId)) {
    throw new PasskeyFault("credential", "id must equal rawId");
  }
}
