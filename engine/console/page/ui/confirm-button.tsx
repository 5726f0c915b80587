import { useEffect, useRef, useState } from "preact/hooks";
import { ActionButton } from "./action-button.tsx";
import type { Action } from "./use-action.ts";

/** A button that asks before its action; the question takes its place, and Escape keeps things as they are. */
export function ConfirmButton({
  label,
  question,
  keep = "Keep",
  action,
  isOff = false,
}: {
  label: string;
  /** Says what is lost: "Delete this model with its key?" */
  question: string;
  /** What leaves things as they are. */
  keep?: string;
  action: Action;
  isOff?: boolean;
}) {
  const place = useRef<HTMLSpanElement>(null);
  const [isAsking, setAsking] = useState<boolean>();
  useEffect(() => {
    // The last button is what keeps things as they are, or the only one.
    if (isAsking !== undefined)
      place.current?.querySelector<HTMLElement>("button:last-of-type")?.focus();
  }, [isAsking]);
  const ask = { ...action, run: () => setAsking(true) };
  const confirm = {
    ...action,
    run: () => {
      setAsking(false);
      action.run();
    },
  };
  return (
    <span ref={place}>
      {isAsking ? (
        <fieldset
          class="confirm"
          aria-label={question}
          onKeyDown={(event) => event.key === "Escape" && setAsking(false)}
        >
          <span>{question}</span>
          <ActionButton class="danger" action={confirm}>
            {label}
          </ActionButton>
          <button type="button" onClick={() => setAsking(false)}>
            {keep}
          </button>
        </fieldset>
      ) : (
        <ActionButton class="danger" action={ask} isOff={isOff}>
          {label}
        </ActionButton>
      )}
    </span>
  );
}
