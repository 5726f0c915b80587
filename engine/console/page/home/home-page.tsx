import type { PageProps } from "../page.ts";
import { Failure } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";

/** Home: what runs. */
export function HomePage({ engine }: PageProps) {
  const health = useLoad("health", (signal) => engine.system.getHealth({ signal }));
  return (
    <>
      <h1>Home</h1>
      {health.error && <Failure error={health.error} onRetry={health.reload} />}
      <dl class="facts">
        <dt>Version</dt>
        <dd>{health.value?.version}</dd>
        <dt>Address</dt>
        <dd>{location.origin}</dd>
      </dl>
    </>
  );
}
