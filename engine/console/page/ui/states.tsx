import type { ComponentChildren } from "preact";
import { EngineError } from "../../../client/client.ts";

/** A place without content, which says what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Why something failed, in the engine's own words with the field and its rule, and a way to try again. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  return (
    <p class="failure" role="alert">
      {error.message} {error instanceof EngineError && error.details}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </p>
  );
}

/** The share of a work that is done; without one it moves. */
export function Progress({ label, share }: { label: string; share?: number | undefined }) {
  return <progress aria-label={label} max={1} value={share} />;
}
