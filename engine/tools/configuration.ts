import { toIsoTime } from "../../shared/clock.ts";
import type { ToolConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { failure, invalid } from "../errors.ts";
import { changedFields } from "../events/change.ts";
import { sealContext } from "../secrets/require-credentials.ts";
import { checkAuthConfig } from "./auth-config.ts";
import { findToolConfiguration, insertToolConfiguration, patchToolConfiguration } from "./store.ts";
import type { UpsertToolConfiguration } from "./wire.ts";

type ToolType = ToolConfigurationRow["toolType"];
type ConfigurationDeps = Pick<EngineDeps, "db" | "vault" | "clock" | "changes">;

/**
 * Registers a tool; `script` and `active` by default (Engine §2, tool rules 1 to 3).
 * @throws EngineError `invalid`, `credential_store`
 */
export async function createToolConfiguration(
  deps: ConfigurationDeps,
  input: UpsertToolConfiguration,
): Promise<ToolConfigurationRow> {
  const [name, alias] = [textOf(input.name), textOf(input.alias)];
  const shownName = name ?? alias;
  if (shownName === undefined) throw invalid("name: is required without an alias.");
  const toolType = input.toolType ?? "script";
  checkFields(toolType, input);
  const uuid = crypto.randomUUID();
  const now = toIsoTime(deps.clock.now());
  const row = await insertToolConfiguration(deps.db, {
    uuid,
    name: shownName,
    alias: alias ?? null,
    ...clearedWhereOmitted(input),
    toolType,
    authType: input.authType ?? null,
    sealedAuthConfig: (await sealAuthConfig(deps, uuid, input)) ?? null,
    status: input.status ?? "active",
    createdAt: now,
    updatedAt: now,
  });
  deps.changes.publish({ type: "tool.created", data: { toolUuid: uuid } });
  return row;
}

/**
 * Keeps an omitted name, alias, type or status, and clears the other plain fields. Removes stored auth where `authType` is
 * omitted or the type takes none (Engine §2, tool rules 4 and 5).
 * @throws EngineError `absent`, `invalid`, `credential_store`
 */
export async function updateToolConfiguration(
  deps: ConfigurationDeps,
  uuid: string,
  input: UpsertToolConfiguration,
): Promise<ToolConfigurationRow> {
  const before = await findToolConfiguration(deps.db, uuid);
  if (!before) throw failure("absent");
  const toolType = input.toolType ?? before.toolType;
  checkFields(toolType, input);
  const removesAuth = !input.authType || !hasEndpoint(toolType) || input.clearAuthConfig;
  const sealed = await sealAuthConfig(deps, uuid, input);
  const row = await patchToolConfiguration(deps.db, uuid, {
    name: textOf(input.name),
    // A blank alias clears the stored one; an omitted one keeps it.
    alias: input.alias?.trim() === "" ? null : (input.alias ?? undefined),
    ...clearedWhereOmitted(input),
    toolType,
    authType: input.authType ?? null,
    sealedAuthConfig: sealed ?? (removesAuth ? null : undefined),
    status: input.status ?? undefined,
    updatedAt: toIsoTime(deps.clock.now()),
  });
  if (!row) throw failure("absent");
  const changed = changedFields(before, row).map((name) =>
    name === "sealedAuthConfig" ? "authConfigJson" : name,
  );
  deps.changes.publish({ type: "tool.updated", data: { toolUuid: uuid, changed } });
  return row;
}

function checkFields(toolType: ToolType, input: UpsertToolConfiguration): void {
  const { endpointUrl, authConfigJson, authType } = input;
  if (typeof endpointUrl === "string") {
    if (!hasEndpoint(toolType)) throw invalid("endpointUrl: is only for api and mcp tools.");
    checkEndpointUrl(endpointUrl);
  }
  if (typeof authConfigJson !== "string") return;
  if (!hasEndpoint(toolType)) throw invalid("authConfigJson: is only for api and mcp tools.");
  if (authType !== "api_key") throw invalid("authConfigJson: needs the authType `api_key`.");
  checkAuthConfig(authConfigJson);
}

function clearedWhereOmitted(input: UpsertToolConfiguration) {
  return {
    description: input.description ?? null,
    scriptPath: input.scriptPath ?? null,
    scriptLanguage: input.scriptLanguage ?? null,
    endpointUrl: input.endpointUrl ?? null,
  };
}

async function sealAuthConfig(
  { vault }: ConfigurationDeps,
  uuid: string,
  { authConfigJson }: UpsertToolConfiguration,
): Promise<string | undefined> {
  if (typeof authConfigJson !== "string") return undefined;
  return vault.seal(authConfigJson, sealContext(uuid, "authConfig"));
}

function hasEndpoint(toolType: ToolType): boolean {
  return toolType === "api" || toolType === "mcp";
}

function textOf(text: string | null | undefined): string | undefined {
  return text?.trim() ? text : undefined;
}

// Forms of an authority that URL parsers read differently.
const AMBIGUOUS = /[\\\s\p{Cc}]/u;
const HTTP_URL = /^https?:\/\/(?<authority>[^/?#]+)/i;

/**
 * An HTTP(S) URL without embedded credentials (Engine §2, tool rule 2).
 * @throws EngineError `invalid`
 */
function checkEndpointUrl(url: string): void {
  const authority = HTTP_URL.exec(url)?.groups?.authority;
  if (authority === undefined || AMBIGUOUS.test(url) || !URL.canParse(url)) {
    throw invalid("endpointUrl: must be an HTTP or HTTPS URL.");
  }
  if (authority.includes("@")) throw invalid("endpointUrl: must not have embedded credentials.");
}
