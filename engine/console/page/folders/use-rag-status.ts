import { useEffect, useRef, useState } from "preact/hooks";
import type { EngineChange, RagRootStatus } from "../../../client/client.ts";
import { onChange } from "../changes.ts";
import { engine } from "../session.ts";
import { useLoad } from "../ui/load.tsx";
import { addSample, type RateSample } from "./index-rate.ts";

/** The roots of a workspace as they are now, and how their index runs went in the last seconds. */
interface LiveStatus {
  roots: readonly RagRootStatus[] | undefined;
  error: Error | undefined;
  samples: ReadonlyMap<number, readonly RateSample[]>;
  reload(): void;
}

/** Follows the indexes of a workspace: one request, then the changes of the engine. */
export function useRagStatus(uuid: string): LiveStatus {
  const loaded = useLoad(uuid, (signal) => engine.retrieval.getStatus(uuid, { signal }));
  const [roots, setRoots] = useState<readonly RagRootStatus[]>();
  const samples = useRef(new Map<number, readonly RateSample[]>());
  useEffect(() => setRoots(loaded.value?.roots), [loaded.value]);
  const hear = (change: EngineChange) => {
    if (change.type === "resync") loaded.reload();
    if (!("data" in change) || Object(change.data).workspaceUuid !== uuid) return;
    if (change.type === "workspace.updated" || change.type === "rag.completed") {
      samples.current.clear();
      loaded.reload();
    }
    if (change.type !== "rag.progress") return;
    const { rootIndex, phase, filesDone, filesTotal } = change.data;
    const before = samples.current.get(rootIndex) ?? [];
    samples.current.set(rootIndex, addSample(before, { atMs: performance.now(), filesDone }));
    const progress = { phase, filesDone, filesTotal } as RagRootStatus["progress"];
    setRoots((all) =>
      all?.map((root) => (root.rootIndex === rootIndex ? { ...root, progress } : root)),
    );
  };
  useEffect(() => onChange(hear), [uuid]);
  return { roots, error: loaded.error, samples: samples.current, reload: loaded.reload };
}
