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
    // The engine ignores what is no field of an update.
    return workspaces.update(uuid, { ...workspace, ...change(workspace) });
  });
}
