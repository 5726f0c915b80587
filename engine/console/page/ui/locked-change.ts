import type { CreateWorkspace, EngineClient, Workspace } from "../../../client/client.ts";

/**
 * Changes fields of a workspace. An update replaces all fields, so the present ones are read just before; one change at a time
 * over all tabs, so that none takes back another.
 * @throws EngineError
 */
export function changeLocked(
  workspaces: Pick<EngineClient["workspaces"], "get" | "update">,
  uuid: string,
  change: (workspace: Workspace) => Partial<CreateWorkspace>,
): Promise<Workspace> {
  return navigator.locks.request(`workspace ${uuid}`, async () => {
    const workspace = await workspaces.get(uuid);
    return workspaces.update(uuid, { ...toInput(workspace), ...change(workspace) });
  });
}

function toInput(workspace: Workspace): CreateWorkspace {
  const { name, description, defaultModelId, toolsConfig, directories, approvalConfig, ragConfig } =
    workspace;
  return {
    name,
    description,
    defaultModelId,
    toolsConfig,
    directories,
    approvalConfig,
    ragConfig,
  };
}
