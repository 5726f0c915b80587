import { useEffect, useRef, useState } from "preact/hooks";

/** A button that asks before it does something; the question takes its place, and Escape keeps things as they are. */
export function ConfirmButton({
  label,
  question,
  keep: keepLabel = "Keep",
  onConfirm,
  disabled,
}: {
  label: string;
  /** Says what is lost: "Delete this model with its key?" */
  question: string;
  /** What leaves things as they are. */
  keep?: string;
  onConfirm: () => void;
  disabled?: boolean;
}) {
  const [isAsking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
  }, [isAsking]);
  if (!isAsking) {
    return (
      <button type="button" class="danger" disabled={disabled} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  }
  return (
    <fieldset
      class="confirm"
      aria-label={question}
      onKeyDown={(event) => event.key === "Escape" && setAsking(false)}
    >
      <span>{question}</span>
      <button
        type="button"
        class="danger"
        onClick={() => {
          setAsking(false);
          onConfirm();
        }}
      >
        {label}
      </button>
      <button type="button" ref={keep} onClick={() => setAsking(false)}>
        {keepLabel}
      </button>
    </fieldset>
  );
}
