import { formatDuration } from "../ui/format.ts";
import { Progress } from "../ui/states.tsx";
import { subjectOf, type ToolCall } from "./tool-call.ts";
import { ValueView } from "./value-view.tsx";
import { toVisible } from "./visible.ts";

const STATES = {
  waiting: ["asks", "warn"],
  running: ["runs", ""],
  completed: ["done", "good"],
  failed: ["failed", "bad"],
  denied: ["denied", "warn"],
} as const;

/** A tool call in one line, which opens to its arguments and its result. */
export function ToolCard({ call }: { call: ToolCall }) {
  const { toolName, operation, state, durationMs, error, progress } = call;
  const [word, tone] = STATES[state];
  const hasResult = state === "completed" && call.result !== undefined;
  return (
    <details class="tool" data-tool={toolName} data-state={state}>
      <summary>
        <span class="tool-name">{toVisible(toolName)}</span>
        <span class="tool-subject">{toVisible(subjectOf(call))}</span>
        <span class={`badge ${tone}`}>{word}</span>
        {durationMs !== null && <span class="muted">{formatDuration(durationMs)}</span>}
      </summary>
      {progress && <ToolProgress progress={progress} />}
      <p class="muted small">Operation: {operation}</p>
      {call.arguments !== undefined && <ValueView label="Arguments" value={call.arguments} />}
      {error !== undefined && <p class="failure">{toVisible(error)}</p>}
      {hasResult && <ValueView label="Result" value={call.result} />}
    </details>
  );
}

function ToolProgress({ progress }: { progress: NonNullable<ToolCall["progress"]> }) {
  const { done, total, message } = progress;
  const share = total === null || total <= 0 ? undefined : Math.min(1, done / total);
  return (
    <p class="small">
      <Progress label="Progress of the tool" share={share} /> {toVisible(message ?? "")}
    </p>
  );
}
