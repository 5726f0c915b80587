import { isJsonObject, parseJson } from "../../shared/json.ts";
import type { ToolConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { sealContext } from "../secrets/require-credentials.ts";
import { ForeignText } from "./foreign-text.ts";

/** A configured server, ready to be connected. */
export interface McpServer {
  /** Of its record. */
  uuid: string;
  /** The alias of its record, or the name. */
  name: string;
  endpoint: URL;
  /** Sealed at rest; they go to the server and nowhere else. */
  headers: Readonly<Record<string, string>>;
  /** Cleans what the server sends. */
  text: ForeignText;
}

/** The name that people gave the server. */
export function serverName({ alias, name }: ToolConfigurationRow): string {
  return alias ?? name;
}

/**
 * Decrypts the headers of a record; undefined if it has no usable address.
 * @throws EngineError `credential_store`
 */
export async function toServer(
  { vault }: Pick<EngineDeps, "vault">,
  row: ToolConfigurationRow,
): Promise<McpServer | undefined> {
  const { uuid, endpointUrl, sealedAuthConfig } = row;
  if (endpointUrl === null || !URL.canParse(endpointUrl)) return undefined;
  const sealed =
    sealedAuthConfig === null
      ? undefined
      : parseJson(await vault.open(sealedAuthConfig, sealContext(uuid, "authConfig")));
  const headers = isJsonObject(sealed) ? (sealed as Record<string, string>) : {};
  return {
    uuid,
    name: serverName(row),
    endpoint: new URL(endpointUrl),
    headers,
    text: new ForeignText(Object.values(headers)),
  };
}
