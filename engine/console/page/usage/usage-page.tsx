import { useState } from "preact/hooks";
import type { Usage, UsageGroup, UsageTotal } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { models } from "../ui/fallback-model.tsx";
import { Choice } from "../ui/form.tsx";
import { formatDay, formatNumber } from "../ui/format.ts";
import { Empty, Loading, useLoad } from "../ui/load.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { lastDays, tokensOf } from "./usage-days.ts";

const RANGES = [
  ["7", "The last 7 days"],
  ["30", "The last 30 days"],
  ["90", "The last 90 days"],
] as const;

/** Usage: answers and tokens of the last days, by day and by model. */
export function UsagePage() {
  const [count, setCount] = useState<(typeof RANGES)[number][0]>("30");
  const days = lastDays(Number(count), Date.now());
  const range = { from: days[0], to: days.at(-1) };
  const usage = useUsage({ ...range, groupBy: "day" });
  const byDay = usage.value;
  return (
    <>
      <header class="row spread">
        <h1>Usage</h1>
        <Choice label="Range" isBare options={RANGES} value={count} onChoose={setCount} />
      </header>
      <Loading of={usage} label="Adding up" />
      {byDay?.total.turns === 0 && (
        <Empty title="No messages in this period">
          <p>This page counts the tokens that models read and write.</p>
        </Empty>
      )}
      {byDay && byDay.total.turns > 0 && (
        <>
          <Totals total={byDay.total} />
          <Days usage={byDay} days={days} />
          <Models key={count} range={range} byDay={byDay} />
        </>
      )}
    </>
  );
}

type Query = NonNullable<Parameters<typeof engine.turns.getUsage>[0]>;

function useUsage(query: Query) {
  return useLoad(
    JSON.stringify(query),
    (signal) => engine.turns.getUsage(query, { signal }),
    /^turn\.updated$/,
  );
}

/** A number, or that no provider gave one. */
function shown(tokens: number | null): string {
  return tokens === null ? "not reported" : formatNumber(tokens);
}

const COLUMNS: readonly (readonly [title: string, describe: (total: UsageTotal) => string])[] = [
  ["Answers", ({ turns }) => formatNumber(turns)],
  ["Tokens read", ({ inputTokens }) => shown(inputTokens)],
  ["Of which cached", ({ cachedInputTokens }) => shown(cachedInputTokens)],
  ["Tokens written", ({ outputTokens }) => shown(outputTokens)],
];

function Totals({ total }: { total: UsageTotal }) {
  const { turnsWithoutUsage } = total;
  const figures = COLUMNS.filter(([title]) => title !== "Of which cached");
  return (
    <>
      <dl class="facts totals">
        {figures.map(([name, describe]) => (
          <div key={name}>
            <dt class="muted small">{name}</dt>
            <dd>{describe(total)}</dd>
          </div>
        ))}
      </dl>
      {turnsWithoutUsage > 0 && (
        <p class="muted small">
          {formatNumber(turnsWithoutUsage)} of these answers reported no token count.
        </p>
      )}
    </>
  );
}

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

/** A bar for each day: tokens if any were reported, else answers. */
function Days({ usage, days }: { usage: Usage; days: readonly string[] }) {
  const hasTokens = tokensOf(usage.total) > 0;
  const amountOf = hasTokens ? tokensOf : ({ turns }: UsageTotal) => turns;
  const byDay = new Map(usage.groups.map((group) => [group.key, amountOf(group)]));
  const amountOn = (day: string) => byDay.get(day) ?? 0;
  const top = Math.max(1, ...days.map(amountOn));
  const unit = hasTokens ? "tokens" : "answers";
  return (
    <section class="card" aria-labelledby="days">
      <div class="row spread">
        <h2 id="days">{hasTokens ? "Tokens per day" : "Answers per day"}</h2>
        <span class="muted small">up to {formatNumber(top)}</span>
      </div>
      <svg
        class="chart"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${unit} per day; the table has the numbers`}
      >
        {days.map((day, at) => (
          <g key={day}>
            <title>{`${formatDay(day)}: ${formatNumber(amountOn(day))} ${unit}`}</title>
            <rect class="day" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
            <rect
              x={at * STEP + GAP / 2}
              y={HEIGHT - (amountOn(day) / top) * HEIGHT}
              width={STEP - GAP}
              height={(amountOn(day) / top) * HEIGHT}
            />
          </g>
        ))}
      </svg>
      <div class="row spread small muted">
        <span>{formatDay(days[0] ?? "")}</span>
        <span>{formatDay(days.at(-1) ?? "")}</span>
      </div>
      <details>
        <summary>As a table</summary>
        <UsageTable
          label="Days"
          groups={usage.groups.filter(({ turns }) => turns > 0).reverse()}
          nameOf={formatDay}
        />
      </details>
    </section>
  );
}

/** The models of all these days, or of one. */
function Models({ range, byDay }: { range: Query; byDay: Usage }) {
  const [day, setDay] = useState("");
  const names = new Map(models.value?.map(({ id, name }) => [id, name]));
  const chosen = day === "" ? range : { from: day, to: day };
  const usage = useUsage({ ...chosen, groupBy: "model" });
  const days = byDay.groups.filter(({ turns }) => turns > 0).reverse();
  return (
    <section class="card" aria-labelledby="by-model">
      <div class="row spread">
        <h2 id="by-model">Models</h2>
        <Choice
          label="Day"
          isBare
          options={[["", "Total"], ...days.map(({ key }) => [key, formatDay(key)] as const)]}
          value={day}
          onChoose={setDay}
        />
      </div>
      <Loading of={usage} label="Adding up" />
      {usage.value && (
        <UsageTable
          label="Models"
          groups={usage.value.groups.toSorted((one, other) => tokensOf(other) - tokensOf(one))}
          nameOf={(key) => names.get(key) ?? "Deleted model"}
        />
      )}
    </section>
  );
}

interface TableProps {
  label: string;
  groups: readonly UsageGroup[];
  nameOf: (key: string) => string;
}

function UsageTable({ label, groups, nameOf }: TableProps) {
  return (
    <Scrollable label={label}>
      <table>
        <thead>
          <tr>
            {[label.slice(0, -1), ...COLUMNS.map(([title]) => title)].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key}>
              <th scope="row">
                <bdi>{nameOf(group.key)}</bdi>
              </th>
              {COLUMNS.map(([title, describe]) => (
                <td key={title}>{describe(group)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
