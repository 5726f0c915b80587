import { useEffect, useRef, useState } from "preact/hooks";
import type { EngineChange, RagRootStatus } from "../../../client/client.ts";
import { onChange } from "../changes.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { Failure, useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { type SeenRun, seeRun } from "./index-rate.ts";
import { RootCard } from "./root-card.tsx";
import { pathsOf } from "./roots-config.ts";

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
          Only indexed files can be searched. Indexing does not change your files.
        </p>
        {isRunning ? (
          <ActionButton action={cancel}>Stop indexing</ActionButton>
        ) : (
          <ActionButton action={index}>Index everything again</ActionButton>
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
          run={status.runs.get(rootIndex)}
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

/** Follows the indexes of a workspace: one request, then the changes of the engine. */
function useRagStatus(uuid: string) {
  const loaded = useLoad(uuid, (signal) => engine.retrieval.getStatus(uuid, { signal }));
  const [roots, setRoots] = useState<readonly RagRootStatus[]>();
  const runs = useRef(new Map<number, SeenRun>());
  useEffect(() => setRoots(loaded.value?.roots), [loaded.value]);
  const hear = (change: EngineChange) => {
    if (change.type === "resync") loaded.reload();
    if (!("data" in change) || Object(change.data).workspaceUuid !== uuid) return;
    if (change.type === "workspace.updated" || change.type === "rag.completed") {
      runs.current.clear();
      loaded.reload();
    }
    if (change.type !== "rag.progress") return;
    const { rootIndex, phase, filesDone, filesTotal } = change.data;
    const now = { atMs: performance.now(), filesDone };
    runs.current.set(rootIndex, seeRun(runs.current.get(rootIndex), now));
    const progress = { phase, filesDone, filesTotal } as RagRootStatus["progress"];
    setRoots((all) =>
      all?.map((root) => (root.rootIndex === rootIndex ? { ...root, progress } : root)),
    );
  };
  useEffect(() => onChange(hear), [uuid]);
  return { roots, error: loaded.error, runs: runs.current };
}
