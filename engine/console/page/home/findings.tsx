import type { Finding } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Icon } from "../ui/icon.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";

const MARKS = { ok: "done", warning: "warning", failure: "problem" } as const;
const ORDER = { failure: 0, warning: 1, ok: 2 } as const;

/** What the checks of a running engine found, with what to do; those that are fine are folded. */
export function Findings() {
  const { value, error, reload } = useLoad("findings", (signal) =>
    engine.status.get({ findings: "true" }, { signal }),
  );
  const all = (value?.findings ?? []).toSorted((a, b) => ORDER[a.state] - ORDER[b.state]);
  const wrong = all.filter(({ state }) => state !== "ok");
  const fine = all.filter(({ state }) => state === "ok");
  return (
    <section class="card" aria-labelledby="checks">
      <div class="head">
        <h2 id="checks">Checks</h2>
        <button type="button" class="small" onClick={reload}>
          Check again
        </button>
      </div>
      {error && <Failure error={error} onRetry={reload} />}
      {!value && !error && <Progress label="Checking" />}
      {value && wrong.length === 0 && <p>Nothing is wrong.</p>}
      <List findings={wrong} />
      {fine.length > 0 && (
        <details>
          <summary>{fine.length === 1 ? "1 check is" : `${fine.length} checks are`} fine</summary>
          <List findings={fine} />
        </details>
      )}
    </section>
  );
}

function List({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="findings">
      {findings.map(({ check, state, detail, cure }) => (
        <li key={check} class={state}>
          <Icon name={MARKS[state]} />
          <div>
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
