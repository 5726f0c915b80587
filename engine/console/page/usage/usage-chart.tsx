import { formatNumber } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import { axisTop, type DayBar, type Measure } from "./usage-days.ts";

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

interface ChartProps {
  bars: readonly DayBar[];
  /** In the order of the stack, from below. */
  models: readonly string[];
  nameOf: (model: string) => string;
  measure: Measure;
}

/** Bars a day, stacked by model, with their legend, and the same as a table. */
export function UsageChart({ bars, models, nameOf, measure }: ChartProps) {
  const top = axisTop(bars);
  const width = bars.length * STEP;
  const shadeOf = (model: string) => `shade-${models.indexOf(model)}`;
  return (
    <section class="card" aria-labelledby="days">
      <h2 id="days">
        {measure === "tokens" ? "Tokens" : "Turns"} a day <span class="muted small">(UTC)</span>
      </h2>
      <div class="chart">
        <span class="axis muted small">{formatNumber(top)}</span>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${measure} a day from ${bars[0]?.day} to ${bars.at(-1)?.day}; the table below has the numbers`}
        >
          {bars.map((bar, at) => (
            <g key={bar.day}>
              <title>{describe(bar, nameOf)}</title>
              <rect class="day" x={at * STEP} y={0} width={STEP} height={HEIGHT} />
              {stack(bar, top).map(({ model, y, height }) => (
                <rect
                  key={model}
                  class={shadeOf(model)}
                  x={at * STEP + GAP / 2}
                  y={y}
                  width={STEP - GAP}
                  height={height}
                />
              ))}
            </g>
          ))}
        </svg>
        <div class="row spread small muted">
          <span>{bars[0]?.day}</span>
          <span>{bars.at(-1)?.day}</span>
        </div>
      </div>
      <ul class="legend">
        {models.map((model) => (
          <li key={model}>
            <svg viewBox="0 0 10 10" aria-hidden="true">
              <rect class={shadeOf(model)} width="10" height="10" rx="2" />
            </svg>
            <bdi>{nameOf(model)}</bdi>
          </li>
        ))}
      </ul>
      <details>
        <summary>As a table</summary>
        <DayTable bars={bars} models={models} nameOf={nameOf} measure={measure} />
      </details>
    </section>
  );
}

/** The parts of a bar from below, in the units of the picture. */
function stack(bar: DayBar, top: number) {
  let below = 0;
  return bar.parts.map(({ model, value }) => {
    below += value;
    return { model, y: HEIGHT - (below / top) * HEIGHT, height: (value / top) * HEIGHT };
  });
}

function describe({ day, total, parts }: DayBar, nameOf: (model: string) => string): string {
  const each = parts.map(({ model, value }) => `${nameOf(model)} ${formatNumber(value)}`);
  return [`${day}: ${formatNumber(total)}`, ...each].join("\n");
}

function DayTable({ bars, models, nameOf, measure }: ChartProps) {
  const busy = bars.filter(({ total }) => total > 0).reverse();
  return (
    <Scrollable label={`${measure} a day`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {models.map((model) => (
              <th scope="col" class="number" key={model}>
                <bdi>{nameOf(model)}</bdi>
              </th>
            ))}
            <th scope="col" class="number">
              All
            </th>
          </tr>
        </thead>
        <tbody>
          {busy.map(({ day, parts, total }) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {models.map((model) => (
                <td class="number" key={model}>
                  {formatNumber(parts.find((part) => part.model === model)?.value ?? 0)}
                </td>
              ))}
              <td class="number">{formatNumber(total)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrollable>
  );
}
