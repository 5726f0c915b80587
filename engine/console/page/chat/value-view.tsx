import { toVisible } from "../../../visible.ts";
import { useMore } from "../ui/action.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { VALUE_CHARACTERS_SHOWN_MAX } from "./limits.ts";

/** A text, or another value as JSON, from its beginning; the rest if it is asked for. */
export function ValueView({ label, value }: { label: string; value: unknown }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  const [shownMax, more] = useMore(VALUE_CHARACTERS_SHOWN_MAX, text.length, "characters ");
  return (
    <figure class="value">
      <figcaption class="row spread muted small">
        <span>{label}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <Scrollable label={label}>
        <pre>{toVisible(text.slice(0, shownMax))}</pre>
      </Scrollable>
      {more}
    </figure>
  );
}
