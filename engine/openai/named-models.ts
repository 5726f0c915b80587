import { listReachableWorkspaces, type ReachableWorkspace } from "../client-keys/store.ts";
import type { ModelConfigurationRow } from "../db/schema.ts";
import type { EngineDeps } from "../deps.ts";
import { toProviderName } from "../models/providers/registry.ts";
import { findModelConfigurationByName, listConfigurationHeads } from "../models/store.ts";
import { type Caller, requireScope } from "./caller.ts";
import { modelNotFound, OpenAiError } from "./errors.ts";

type ModelDeps = Pick<EngineDeps, "db">;

const WORKSPACE = "workspace/";
/** Neither has an address that speaks OpenAI's interface. */
const WITHOUT_ADDRESS: ReadonlySet<string> = new Set(["bedrock", "echo"]);

/** What `model` names. */
export type NamedModel =
  | { kind: "workspace"; workspace: ReachableWorkspace }
  | { kind: "configuration"; row: ModelConfigurationRow };

/** An entry of the list of models, as OpenAI spells it. */
interface ListedModel {
  id: string;
  object: "model";
  /** In seconds. */
  created: number;
  owned_by: string;
}

/** @throws OpenAiError 400, 403, 404 */
export async function getNamedModel(
  { db }: ModelDeps,
  caller: Caller,
  model: string,
): Promise<NamedModel> {
  if (model.startsWith(WORKSPACE)) {
    requireScope(caller, "workspaces");
    const reachable = await listReachableWorkspaces(db, caller.key);
    const name = model.slice(WORKSPACE.length);
    // The oldest of a name has it.
    const workspace =
      reachable.find((each) => each.name === name) ?? reachable.find(({ uuid }) => uuid === name);
    if (!workspace) throw modelNotFound(model);
    return { kind: "workspace", workspace };
  }
  requireScope(caller, "models");
  const row = await findModelConfigurationByName(db, model, { byAlias: true });
  if (row ? isWithoutAddress(row) : WITHOUT_ADDRESS.has(model)) {
    const message =
      "This model has no address that speaks OpenAI's interface. Use it in a workspace.";
    throw new OpenAiError(400, message, { param: "model", code: "model_not_supported" });
  }
  if (!row) throw modelNotFound(model);
  return { kind: "configuration", row };
}

/** What the scopes of the caller reach: configurations, then workspaces. */
export async function listNamedModels({ db }: ModelDeps, { key }: Caller): Promise<ListedModel[]> {
  const listed: ListedModel[] = [];
  if (key.scopes.includes("models")) {
    const rows = (await listConfigurationHeads(db)).filter((row) => !isWithoutAddress(row));
    listed.push(...rows.map((row) => toListed(row.id, row.createdAt, row.provider)));
  }
  if (key.scopes.includes("workspaces")) {
    const names = new Set<string>();
    for (const { uuid, name, createdAt } of await listReachableWorkspaces(db, key)) {
      listed.push(toListed(WORKSPACE + (names.has(name) ? uuid : name), createdAt, "roundhouse"));
      names.add(name);
    }
  }
  return listed;
}

/** The entry of one model. @throws OpenAiError 400, 403, 404 */
export async function getListedModel(
  deps: ModelDeps,
  caller: Caller,
  model: string,
): Promise<ListedModel> {
  const named = await getNamedModel(deps, caller, model);
  if (named.kind === "configuration") {
    return toListed(named.row.id, named.row.createdAt, named.row.provider);
  }
  return toListed(model, named.workspace.createdAt, "roundhouse");
}

function isWithoutAddress({ provider }: Pick<ModelConfigurationRow, "provider">): boolean {
  return WITHOUT_ADDRESS.has(toProviderName(provider));
}

function toListed(id: string, createdAt: string, ownedBy: string): ListedModel {
  const created = Math.floor(Date.parse(createdAt) / 1000);
  return { id, object: "model", created, owned_by: ownedBy };
}
