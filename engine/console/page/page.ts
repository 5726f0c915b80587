import type { ComponentType } from "preact";
import type { Workspace } from "../../client/client.ts";
import type { IconName } from "./ui/icon.tsx";

/** What a page gets: the workspace that is chosen for all of them. */
export interface WorkspaceProps {
  workspace: Workspace;
}

/** A page of the console. Its address is its path, the workspace, and what it names itself. */
export interface ConsolePage {
  /** The first part of its address. */
  path: string;
  title: string;
  icon: IconName;
  Page: ComponentType<WorkspaceProps>;
}
