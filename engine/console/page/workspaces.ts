import { computed, effect, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Workspace } from "../../client/client.ts";
import { NEW_WORKSPACE } from "../../client/new-workspace.ts";
import { hrefOf, route } from "./router.ts";
import { engine } from "./session.ts";
import { share } from "./ui/load.tsx";
import { changeLocked } from "./ui/locked-change.ts";

const CHOSEN_KEY = "roundhouse.workspace";

/** All workspaces, kept fresh. */
export const workspaces = share(() => engine.workspaces.list(), /^workspace\./);

/** The workspace that was shown last, on any page. */
const chosen = signal(localStorage.getItem(CHOSEN_KEY));

/** The workspace of all pages: that of the address, else the last one that was shown, else the first one. */
export const workspace = computed<Workspace | undefined>(() => {
  const list = workspaces.value;
  const named = route.value[1];
  if (named !== undefined) return list?.find(({ uuid }) => uuid === named);
  return list?.find(({ uuid }) => uuid === chosen.value) ?? list?.[0];
});

const Current = createContext<Workspace | undefined>(undefined);

/** What is in it shows this workspace. */
export const InWorkspace = Current.Provider;

/** The workspace that a part of the page shows. @throws if it is in none. */
export function useWorkspace(): Workspace {
  const found = useContext(Current);
  if (!found) throw new Error("No workspace is open.");
  return found;
}

effect(() => {
  if (!workspace.value) return;
  chosen.value = workspace.value.uuid;
  localStorage.setItem(CHOSEN_KEY, workspace.value.uuid);
});

/** Creates a workspace and shows it. @throws EngineError */
export async function createWorkspace(name: string): Promise<void> {
  const { uuid } = await engine.workspaces.create({ ...NEW_WORKSPACE, name });
  await workspaces.reload();
  location.hash = hrefOf("chat", uuid);
}

/** Changes fields of a workspace; the others keep what other tabs made of them. @throws EngineError */
export const changeWorkspace = changeLocked.bind(undefined, engine.workspaces);
