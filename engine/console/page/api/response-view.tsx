import { formatBytes, formatDuration } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import type { ApiAnswer } from "./send.ts";

const PRETTY_CHARACTERS_MAX = 100_000;

/** A response: status, time, headers, and its body as text. */
export function ResponseView({ answer }: { answer: ApiAnswer }) {
  const { status, statusText, headMs, headers, text, bytes, isWhole } = answer;
  return (
    <section aria-label="Response">
      <p role="status">
        <span class={status < 400 ? "badge good" : "badge bad"}>
          {status} {statusText}
        </span>{" "}
        <span class="muted small">
          after {formatDuration(headMs)}, {formatBytes(bytes)}
          {!isWhole && " so far"}
        </span>
      </p>
      <details>
        <summary>{headers.length} headers</summary>
        <dl class="facts small">
          {headers.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </>
          ))}
        </dl>
      </details>
      {text === undefined && bytes > 0 && <p class="muted">The body is no text.</p>}
      {text && (
        <Scrollable label="Body of the response" class="answer">
          <pre>{isWhole ? pretty(text) : text}</pre>
        </Scrollable>
      )}
    </section>
  );
}

function pretty(text: string): string {
  if (text.length > PRETTY_CHARACTERS_MAX) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
