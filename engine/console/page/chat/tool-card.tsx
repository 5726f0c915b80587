import { toVisible } from "../../../visible.ts";
import { pathsOf } from "../folders/roots-config.ts";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Progress } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import type { ToolCall } from "./tool-call.ts";
import { countOf, describeCall, subjectOf } from "./tool-words.ts";
import { ValueView } from "./value-view.tsx";

const BADGES: Partial<Record<ToolCall["state"], readonly [word: string, tone: string]>> = {
  waiting: ["waits for you", "warn"],
  failed: ["failed", "bad"],
  denied: ["not allowed", "warn"],
};

/** A tool call in one quiet line, which opens to the exact call, its arguments and its result. */
export function ToolCard({ call }: { call: ToolCall }) {
  const workspace = useWorkspace();
  const { toolName, operation, state, durationMs, error, progress } = call;
  const [word, tone] = BADGES[state] ?? [];
  const hasResult = state === "completed" && call.result !== undefined;
  const facts = [countOf(call), durationMs !== null && formatDuration(durationMs)];
  const tense = state === "completed" ? "after" : "before";
  return (
    <details class="tool" data-tool={toolName} data-state={state}>
      <summary class="row">
        <Icon name={state === "completed" ? "done" : "tools"} />
        <span class="cut">
          {toVisible(describeCall(call, pathsOf(workspace), tense))}{" "}
          <span class="muted">{toVisible(subjectOf(call))}</span>
        </span>
        {word && <span class={`badge ${tone}`}>{word}</span>}
        <span class="muted">{facts.filter(Boolean).join(" · ")}</span>
      </summary>
      {progress && <ToolProgress progress={progress} />}
      <p class="muted small">
        <code>{toVisible(toolName)}</code> {operation}
      </p>
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
