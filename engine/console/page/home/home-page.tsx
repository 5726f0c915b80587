import { useEffect } from "preact/hooks";
import { formatBytes, formatDuration, formatNumber, formatTime } from "../ui/format.ts";
import { Sparkline } from "../ui/sparkline.tsx";
import { ThemeSwitch } from "../ui/theme.tsx";
import { Findings } from "./findings.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { samples, startSampling, status } from "./samples.ts";

const MS_PER_SECOND = 1000;
// A minute. Fewer values stand at the right.
const SAMPLES_SHOWN_MIN = 20;

/** Home: what runs, what is wrong with it, and what to do first. */
export function HomePage() {
  useEffect(startSampling, []);
  return (
    <>
      <h1>Home</h1>
      <FirstSteps />
      <div class="tiles">
        <Facts />
        <Course
          title="Memory"
          now={status.value && formatBytes(status.value.memory.residentBytes)}
          values={samples.value.map(({ memoryBytes }) => memoryBytes)}
        />
        <Course
          title="Requests"
          now={status.value && formatNumber(status.value.requests)}
          values={samples.value.map(({ requestRate }) => requestRate)}
        />
      </div>
      <Findings />
      <div class="narrow-only theme-row">
        <span class="muted">Theme</span> <ThemeSwitch />
      </div>
    </>
  );
}

function Facts() {
  const now = status.value;
  return (
    <section class="card" aria-label="Engine">
      <h2>Engine</h2>
      <dl class="facts">
        <dt>Version</dt>
        <dd>{now?.version}</dd>
        <dt>Address</dt>
        <dd>{location.origin}</dd>
        <dt>Up for</dt>
        <dd title={now && `Since ${formatTime(now.startedAt)}`}>
          {now && formatDuration(now.uptimeSeconds * MS_PER_SECOND)}
        </dd>
        <dt>Clients</dt>
        <dd>{now && describeClients(now.clients)}</dd>
      </dl>
    </section>
  );
}

/** The console itself reads one stream of changes. */
function describeClients({ sockets, eventStreams }: { sockets: number; eventStreams: number }) {
  const socketsText = sockets === 1 ? "1 socket" : `${formatNumber(sockets)} sockets`;
  return eventStreams === 1
    ? `${socketsText}, 1 event stream`
    : `${socketsText}, ${formatNumber(eventStreams)} event streams`;
}

interface CourseProps {
  title: string;
  now: string | undefined;
  values: readonly number[];
}

function Course({ title, now, values }: CourseProps) {
  return (
    <section class="card course" aria-label={title}>
      <h2>{title}</h2>
      <p class="figure">{now ?? " "}</p>
      <Sparkline
        values={values}
        capacity={Math.max(values.length, SAMPLES_SHOWN_MIN)}
        label={`${title} over the last minutes`}
      />
    </section>
  );
}
