import type { CreateWorkspace, Workspace } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { changeLocked } from "./locked-change.ts";

/** Changes fields of a workspace; the others keep what other tabs made of them. @throws EngineError */
export function changeWorkspace(
  uuid: string,
  change: (workspace: Workspace) => Partial<CreateWorkspace>,
): Promise<Workspace> {
  return changeLocked(engine.workspaces, uuid, change);
}
