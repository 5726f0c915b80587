import { useState } from "preact/hooks";
import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton } from "../ui/action-button.tsx";
import { changeWorkspace } from "../ui/change-workspace.ts";
import { Empty, Failure } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { RootCard } from "./root-card.tsx";
import { pathsOf } from "./roots-config.ts";
import { useRagStatus } from "./use-rag-status.ts";

/** The roots with the state of their indexes, and a place to add one. */
export function Roots({ workspace }: WorkspaceProps) {
  const { uuid } = workspace;
  const status = useRagStatus(uuid);
  const index = useAction(() => indexUsable(uuid, status.roots ?? []));
  const cancel = useAction(() => engine.retrieval.cancelIndexing(uuid));
  const paths = pathsOf(workspace);
  const isRunning =
    index.isBusy || status.roots?.some(({ progress }) => progress !== null) === true;
  const isLoading = paths.length > 0 && !status.roots && !status.error;
  return (
    <section aria-labelledby="roots" aria-busy={isLoading}>
      <div class="row spread">
        <h2 id="roots">Roots</h2>
        {paths.length > 0 && (
          <div class="row">
            {isRunning && <ActionButton action={cancel}>Cancel indexing</ActionButton>}
            <ActionButton action={{ ...index, isBusy: isRunning }} class="primary">
              Index all
            </ActionButton>
          </div>
        )}
      </div>
      {[status.error, index.error, cancel.error].map(
        (error) => error && <Failure key={error.message} error={error} />,
      )}
      {paths.length === 0 && (
        <Empty title="This workspace has no folder yet">
          <p>Add one below: its files can then be searched, read and asked about.</p>
        </Empty>
      )}
      {paths.map((path, rootIndex) => (
        <RootCard
          key={path}
          workspace={workspace}
          path={path}
          rootIndex={rootIndex}
          status={status.roots?.find((root) => root.rootIndex === rootIndex)}
          samples={status.samples.get(rootIndex) ?? []}
        />
      ))}
      <AddRoot workspace={workspace} />
    </section>
  );
}

/** The engine refuses a run over all roots where one of them cannot be used. */
function indexUsable(uuid: string, roots: readonly RagRootStatus[]): Promise<unknown> {
  if (!roots.some(({ problem }) => problem)) return engine.retrieval.indexWorkspace(uuid);
  const usable = roots.filter(({ problem, enabled }) => enabled && !problem);
  return Promise.all(usable.map(({ rootIndex }) => engine.retrieval.indexRoot(uuid, rootIndex)));
}

function AddRoot({ workspace }: WorkspaceProps) {
  const [path, setPath] = useState("");
  const add = useAction(async () => {
    await changeWorkspace(workspace.uuid, (current) => ({
      directories: [...pathsOf(current), path.trim()],
    }));
    setPath("");
  });
  const isAbsolute = /^(\/|[A-Za-z]:[\\/])/.test(path.trim());
  const isThere = pathsOf(workspace).includes(path.trim());
  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        add.run();
      }}
    >
      <div class="row end">
        <label class="field grow">
          <span>Add a folder of this machine, by its whole path</span>
          <input
            value={path}
            placeholder="/home/ada/notes"
            spellcheck={false}
            autocomplete="off"
            onInput={({ currentTarget }) => setPath(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={!isAbsolute || isThere} aria-disabled={add.isBusy}>
          Add folder
        </button>
      </div>
      {path !== "" && !isAbsolute && <p class="small muted">The path must be absolute.</p>}
      {isThere && <p class="small muted">This folder is a root already.</p>}
      {add.error && <Failure error={add.error} />}
    </form>
  );
}
