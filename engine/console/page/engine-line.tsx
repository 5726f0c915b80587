import { useState } from "preact/hooks";
import type { EngineStatus, Finding } from "../../client/client.ts";
import { engine, isReachable } from "./session.ts";
import { showsShortcuts } from "./shortcuts.tsx";
import { Button } from "./ui/action.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { formatBytes, formatDuration, formatNumber, formatTime } from "./ui/format.ts";
import { Icon } from "./ui/icon.tsx";
import { Loading, share } from "./ui/load.tsx";
import { ThemeSwitch } from "./ui/theme.tsx";

const MARKS = { ok: "done", warning: "warning", failure: "problem" } as const;
const TONES = { ok: "good", warning: "warn", failure: "bad" } as const;
const ORDER = ["failure", "warning", "ok"] as const;

// What the checks look at changes with models and workspaces.
const status = share(
  () => engine.status.get({ findings: "true" }),
  /^(model|workspace|settings)\.|^rag\.completed$/,
);

/** How the engine is, in one line that opens its figures and checks; and what belongs to the browser alone. */
export function EngineLine() {
  const [isOpen, setOpen] = useState(false);
  const findings = status.value?.findings;
  const worst = ORDER.find((state) => findings?.some((it) => it.state === state));
  const tone = isReachable.value ? worst && TONES[worst] : "bad";
  return (
    <footer class="engine-line">
      <Button class="item" onClick={() => setOpen(true)}>
        <span class={`dot ${tone ?? ""}`} />
        <span class="grow cut">{lineOf(findings)}</span>
      </Button>
      <span class="row spread">
        <ThemeSwitch />
        <Button
          class="quiet"
          aria-label="Keyboard shortcuts"
          onClick={() => (showsShortcuts.value = true)}
        >
          <kbd>?</kbd>
        </Button>
      </span>
      {isOpen && <EngineDialog onClose={() => setOpen(false)} />}
    </footer>
  );
}

function lineOf(findings: EngineStatus["findings"] | undefined): string {
  if (!isReachable.value) return "The engine is not responding";
  if (!findings) return status.error ? "The checks could not be read" : "Checking the engine …";
  const wrong = findings.filter(({ state }) => state !== "ok");
  if (wrong.length === 0) return "The engine is fine";
  return wrong.length === 1 ? "1 thing needs attention" : `${wrong.length} things need attention`;
}

function EngineDialog({ onClose }: { onClose: () => void }) {
  const now = status.value;
  const findings = ORDER.flatMap(
    (state) => now?.findings?.filter((it) => it.state === state) ?? [],
  );
  const fine = findings.filter(({ state }) => state === "ok");
  const wrong = findings.filter(({ state }) => state !== "ok");
  return (
    <Dialog title="Engine" onClose={onClose}>
      <Loading of={status} label="Checking" />
      {now && <Figures {...now} />}
      <div class="row spread">
        <h3>Checks</h3>
        <Button onClick={() => void status.reload()}>Check again</Button>
      </div>
      {now && wrong.length === 0 && <p>Everything is fine.</p>}
      <Findings findings={wrong} />
      {fine.length > 0 && (
        <details>
          <summary>{fine.length === 1 ? "1 check is" : `${fine.length} checks are`} fine</summary>
          <Findings findings={fine} />
        </details>
      )}
    </Dialog>
  );
}

function Figures({ version, uptimeSeconds, startedAt, clients, memory, requests }: EngineStatus) {
  const { sockets, eventStreams } = clients;
  const figures = [
    ["Version", version],
    ["Address", location.origin],
    ["Uptime", formatDuration(uptimeSeconds * 1000)],
    ["Memory", formatBytes(memory.residentBytes)],
    ["Requests", formatNumber(requests)],
    ["Connections", formatNumber(sockets + eventStreams)],
  ] as const;
  return (
    <dl class="facts" title={`Since ${formatTime(startedAt)}`}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt class="muted small">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="list findings">
      {findings.map(({ check, state, detail, cure }) => (
        <li key={check}>
          <span class={TONES[state]}>
            <Icon name={MARKS[state]} />
          </span>
          <div class="wrap">
            <strong>{check}</strong> <span class="visually-hidden">({state})</span>
            <p>
              <Described text={detail} />
            </p>
            {cure !== null && (
              <p class="muted">
                <Described text={cure} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** A sentence of the engine: what stands between backticks is code. */
function Described({ text }: { text: string }) {
  return (
    <>{text.split("`").map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}
