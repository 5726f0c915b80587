import { useState } from "preact/hooks";
import { hrefOf } from "../router.ts";
import { formatNumber } from "../ui/format.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { loadUsage, type RangeUsage } from "./load-usage.ts";
import { Threads } from "./threads.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { amountOf, dayBars, lastDays, type Measure, shadedModels } from "./usage-days.ts";

const RANGES = [7, 30, 90] as const;

/** Usage: turns and tokens of the last days, by model, and the dearest threads. */
export function UsagePage() {
  const [count, setCount] = useState(30);
  const [wanted, setWanted] = useState<Measure>("tokens");
  const days = lastDays(count, Date.now());
  const usage = useLoad(`${days[0]} ${days.at(-1)}`, (signal) => loadUsage(days, signal));
  const hasTokens = !usage.value || amountOf(usage.value.total, "tokens") > 0;
  const measure = hasTokens ? wanted : "turns";
  return (
    <>
      <h1>Usage</h1>
      <div class="row end">
        <label class="field">
          <span>Range</span>
          <select
            value={String(count)}
            onChange={({ currentTarget }) => setCount(Number(currentTarget.value))}
          >
            {RANGES.map((range) => (
              <option key={range} value={String(range)}>
                the last {range} days
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Measure</span>
          <select
            value={measure}
            onChange={({ currentTarget }) => setWanted(currentTarget.value as Measure)}
          >
            <option value="tokens" disabled={!hasTokens}>
              tokens
            </option>
            <option value="turns">turns</option>
          </select>
        </label>
        <button type="button" onClick={usage.reload}>
          Refresh
        </button>
      </div>
      {usage.error && <Failure error={usage.error} onRetry={usage.reload} />}
      {!usage.value && !usage.error && <Progress label="Adding up" />}
      {usage.value && <Range usage={usage.value} days={days} measure={measure} />}
      {usage.value && usage.value.total.turns > 0 && (
        <Threads groups={usage.value.threads} measure={measure} />
      )}
    </>
  );
}

function Range({
  usage,
  days,
  measure,
}: {
  usage: RangeUsage;
  days: readonly string[];
  measure: Measure;
}) {
  const { total, models, byDay, names } = usage;
  if (total.turns === 0) {
    return (
      <Empty title="No turn began in these days">
        <p>
          <a href={hrefOf("chat")}>Ask something</a>, and its tokens are counted here.
        </p>
      </Empty>
    );
  }
  const shaded = shadedModels(models, measure);
  return (
    <>
      <Totals usage={usage} />
      {amountOf(total, "tokens") === 0 && (
        <p class="muted">
          The models of these turns reported no tokens, so the bars are turns. Local servers often
          report none, and <code>echo</code> has none.
        </p>
      )}
      <UsageChart
        bars={dayBars(days, byDay, shaded, measure)}
        models={shaded}
        nameOf={(model) => names.get(model) ?? model}
        measure={measure}
      />
    </>
  );
}

function Totals({ usage: { total } }: { usage: RangeUsage }) {
  const { turns, turnsWithoutUsage, inputTokens, outputTokens } = total;
  const shown = (tokens: number | null) =>
    tokens === null ? "none reported" : formatNumber(tokens);
  return (
    <dl class="totals">
      <div>
        <dt>Turns</dt>
        <dd>{formatNumber(turns)}</dd>
      </div>
      <div>
        <dt>Tokens of prompts</dt>
        <dd>{shown(inputTokens)}</dd>
      </div>
      <div>
        <dt>Tokens of answers</dt>
        <dd>{shown(outputTokens)}</dd>
      </div>
      <div>
        <dt>Turns without a report</dt>
        <dd>{formatNumber(turnsWithoutUsage)}</dd>
      </div>
    </dl>
  );
}
