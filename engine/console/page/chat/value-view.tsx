import { useState } from "preact/hooks";
import { Button } from "../ui/action.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatNumber } from "../ui/format.ts";
import { Scrollable } from "../ui/scrollable.tsx";
import { VALUE_CHARACTERS_SHOWN_MAX } from "./limits.ts";
import { toShownText } from "./tool-call.ts";
import { toVisible } from "./visible.ts";

/** A value as text, from its beginning; the rest if it is asked for. */
export function ValueView({ label, value }: { label: string; value: unknown }) {
  const [shownMax, setShownMax] = useState(VALUE_CHARACTERS_SHOWN_MAX);
  const text = toShownText(value);
  const rest = text.length - shownMax;
  return (
    <figure class="value">
      <figcaption>
        <span>{label}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <Scrollable label={label}>
        <pre>{toVisible(text.slice(0, shownMax))}</pre>
      </Scrollable>
      {rest > 0 && (
        <Button class="quiet" onClick={() => setShownMax(shownMax * 10)}>
          Show more ({formatNumber(rest)} characters left)
        </Button>
      )}
    </figure>
  );
}
