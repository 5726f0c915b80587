import type { RagRootStatus } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { Failure } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { RootCard } from "./root-card.tsx";
import { pathsOf } from "./roots-config.ts";
import { useRagStatus } from "./use-rag-status.ts";

/** The folders with the state of their indexes. */
export function Indexing() {
  const workspace = useWorkspace();
  const { uuid } = workspace;
  const status = useRagStatus(uuid);
  const index = useAction(() => indexUsable(uuid, status.roots ?? []));
  const cancel = useAction(() => engine.retrieval.cancelIndexing(uuid));
  const isRunning =
    index.isBusy || status.roots?.some(({ progress }) => progress !== null) === true;
  return (
    <section aria-label="Indexing" aria-busy={!status.roots && !status.error}>
      <div class="row spread">
        <p class="muted grow">
          Only what is indexed can be searched. Files stay on this machine and as they are.
        </p>
        {isRunning ? (
          <ActionButton action={cancel}>Stop indexing</ActionButton>
        ) : (
          <ActionButton action={index}>Index all again</ActionButton>
        )}
      </div>
      {[status.error, index.error, cancel.error].map(
        (error) => error && <Failure key={error.message} error={error} />,
      )}
      {pathsOf(workspace).map((path, rootIndex) => (
        <RootCard
          key={path}
          path={path}
          rootIndex={rootIndex}
          status={status.roots?.find((root) => root.rootIndex === rootIndex)}
          samples={status.samples.get(rootIndex) ?? []}
        />
      ))}
    </section>
  );
}

/** The engine refuses a run over all folders if one of them cannot be used. */
function indexUsable(uuid: string, roots: readonly RagRootStatus[]): Promise<unknown> {
  if (!roots.some(({ problem }) => problem)) return engine.retrieval.indexWorkspace(uuid);
  const usable = roots.filter(({ problem, enabled }) => enabled && !problem);
  return Promise.all(usable.map(({ rootIndex }) => engine.retrieval.indexRoot(uuid, rootIndex)));
}
