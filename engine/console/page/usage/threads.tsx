import type { Thread, UsageGroup } from "../../../client/client.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { formatNumber } from "../ui/format.ts";
import { isAbsent } from "../ui/is-absent.ts";
import { Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { amountOf, dearest, type Measure } from "./usage-days.ts";

const THREADS_SHOWN = 10;

/** The dearest threads of the range. */
export function Threads({ groups, measure }: { groups: readonly UsageGroup[]; measure: Measure }) {
  const first = dearest(groups, measure, THREADS_SHOWN);
  const uuids = first.map(({ key }) => key);
  const threads = useLoad(uuids.join(" "), (signal) =>
    Promise.all(uuids.map((uuid) => findThread(uuid, signal))),
  );
  const top = Math.max(1, ...first.map((group) => amountOf(group, measure)));
  return (
    <section class="card" aria-labelledby="threads">
      <h2 id="threads">Threads with the most {measure}</h2>
      {!threads.value && !threads.error && <Progress label="Loading the titles" />}
      <ol class="dearest">
        {first.map((group) => (
          <li key={group.key}>
            <ThreadName
              uuid={group.key}
              thread={threads.value?.find((thread) => thread?.uuid === group.key)}
            />
            <meter
              min={0}
              max={1}
              value={amountOf(group, measure) / top}
              aria-label={`${formatNumber(amountOf(group, measure))} ${measure}`}
            />
            <span class="number">{formatNumber(amountOf(group, measure))}</span>
            <span class="muted small">
              {measure === "tokens" && `${formatNumber(group.turns)} `}
              {group.turns === 1 ? "turn" : "turns"}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function ThreadName({ uuid, thread }: { uuid: string; thread: Thread | undefined }) {
  if (!thread) {
    return (
      <span class="muted" title={uuid}>
        a deleted thread
      </span>
    );
  }
  return (
    <a href={hrefOf("chat", thread.workspaceUuid, thread.uuid)}>
      <bdi>{thread.title ?? "Untitled"}</bdi>
    </a>
  );
}

/** Usage outlives threads, so one may be gone. */
async function findThread(uuid: string, signal: AbortSignal): Promise<Thread | undefined> {
  try {
    return await engine.threads.get(uuid, { signal });
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
