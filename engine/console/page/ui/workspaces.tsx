import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Workspace } from "../../../client/client.ts";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { isAbsent } from "./is-absent.ts";
import { Empty, Failure, Progress } from "./states.tsx";
import { useAction } from "./use-action.ts";
import { useChanges } from "./use-changes.ts";
import { type Loaded, useLoad } from "./use-load.ts";

/** The workspace that was chosen last, on any page. */
const chosen = signal<string | undefined>(undefined);

/** What the parts of a page about one workspace get. */
export interface WorkspaceProps {
  workspace: Workspace;
}

/** All workspaces, kept fresh. */
export function useWorkspaces(): Loaded<Workspace[]> {
  const list = useLoad("workspaces", (signal) => engine.workspaces.list({ signal }));
  useChanges(({ type }) => {
    if (type.startsWith("workspace.") || type === "resync") list.reload();
  });
  return list;
}

/** Shows what belongs to one workspace, with a choice of all: the address names it, else the last choice does. */
export function InWorkspace({
  page,
  children,
}: {
  /** Where the page is; the uuid follows. */
  page: readonly string[];
  children: (workspace: Workspace) => ComponentChildren;
}) {
  const { value: list, error, reload } = useWorkspaces();
  if (error) return <Failure error={error} onRetry={reload} />;
  if (!list) return <Progress label="Loading the workspaces" />;
  const named = route.value[page.length];
  const wanted = named ?? chosen.value;
  const found = list.find(({ uuid }) => uuid === wanted);
  const workspace = found ?? list[0];
  if (!workspace) return <FirstWorkspace onCreated={reload} />;
  if (!found && named !== undefined) {
    return <UnlistedWorkspace key={named} uuid={named} page={page} onFound={reload} />;
  }
  return (
    <>
      <p>
        <label class="field">
          <span>Workspace</span>
          <select
            value={workspace.uuid}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value;
              location.hash = hrefOf(...page, currentTarget.value);
            }}
          >
            {list.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      {children(workspace)}
    </>
  );
}

/** A workspace of the address that the list does not have: it was just created, or there is none. */
export function UnlistedWorkspace({
  uuid,
  page,
  onFound,
}: {
  uuid: string;
  /** Where the page is without a workspace. */
  page: readonly string[];
  onFound: () => void;
}) {
  const { error, reload } = useLoad(uuid, (signal) =>
    engine.workspaces.get(uuid, { signal }).then(onFound),
  );
  if (!error) return <Progress label="Loading the workspace" />;
  if (!isAbsent(error)) return <Failure error={error} onRetry={reload} />;
  return (
    <Empty title="There is no such workspace">
      <p>
        It may have been deleted. <a href={hrefOf(...page)}>Show another one</a>
      </p>
    </Empty>
  );
}

/** What a page shows if there is no workspace: the form of the first one. */
export function FirstWorkspace({ onCreated }: { onCreated: () => void }) {
  const [name, setName] = useState("First steps");
  const { isBusy, error, run } = useAction(() =>
    engine.workspaces.create({ name }).then(onCreated),
  );
  return (
    <Empty title="There is no workspace yet">
      <p>A workspace holds folders, conversations and rules. Create the first one:</p>
      <form
        class="row centered"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <input
          aria-label="Name of the workspace"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={name.trim() === ""} aria-disabled={isBusy}>
          Create workspace
        </button>
      </form>
      {error && <Failure error={error} />}
    </Empty>
  );
}
