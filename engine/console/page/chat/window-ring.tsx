import type { SentContext } from "../../../client/client.ts";
import { formatNumber } from "../ui/format.ts";
import { Menu } from "../ui/menu.tsx";

const KINDS = {
  instructions: "Instructions",
  tools: "Tools",
  summary: "Summary of earlier messages",
  history: "Earlier messages",
  results: "Tool results",
  question: "Question",
} as const;

/** How full the window of the model was at the last answer; it opens what was in it, and what had no room. */
export function WindowRing({ context }: { context: SentContext }) {
  const { window, inputTokens, parts, dropped } = context;
  const share = Math.min(1, inputTokens / window);
  const ring = (
    <svg class="ring" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <circle cx="10" cy="10" r="8" />
      <circle cx="10" cy="10" r="8" pathLength="100" stroke-dasharray={`${share * 100} 100`} />
    </svg>
  );
  const label = `Context window ${Math.round(share * 100)}% full`;
  return (
    <Menu label={label} text={ring} class="quiet icon-only">
      <strong>{label}</strong>
      <p class="muted small">
        About {formatNumber(inputTokens)} of {formatNumber(window)} tokens at the last answer
      </p>
      <ul class="list small">
        {parts.map(({ kind, tokens }) => (
          <li key={kind} class="row spread">
            <span>{KINDS[kind]}</span> <span class="muted">{formatNumber(tokens)}</span>
          </li>
        ))}
        {dropped.map(({ what }, at) => (
          <li key={at} class="warn">
            Left out: {what}
          </li>
        ))}
      </ul>
    </Menu>
  );
}
