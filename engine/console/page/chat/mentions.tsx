import { useState } from "preact/hooks";
import { baseName } from "../folders/roots-config.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { Icon } from "../ui/icon.tsx";
import { useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { MENTIONS_FOUND_MAX, MENTIONS_SHOWN_MAX } from "./limits.ts";
import { type Mention, mentionsFor } from "./mention.ts";

interface SuggestionsProps {
  id: string;
  query: string;
  onChoose: (mention: Mention) => void;
  /** Gets what takes a key of the field, and says whether it did. */
  keys: { current: ((key: string) => boolean) | undefined };
}

/** The folders and files whose names go on like this; arrow keys move, Enter and Tab take one. */
export function Suggestions({ id, query, onChoose, keys }: SuggestionsProps) {
  const { uuid } = useWorkspace();
  const [chosen, setChosen] = useState(0);
  const found = useLoad(query, (signal) =>
    engine.files.search(uuid, { q: query, limit: MENTIONS_FOUND_MAX }, { signal }),
  );
  const shown = mentionsFor(query, found.value ?? [], MENTIONS_SHOWN_MAX);
  const at = Math.min(chosen, shown.length - 1);
  const choose = (mention: Mention | undefined) => {
    if (mention) onChoose(mention);
    return mention !== undefined;
  };
  keys.current = (key) => {
    if (key === "ArrowDown" || key === "ArrowUp") {
      const step = key === "ArrowDown" ? 1 : -1;
      setChosen((at + step + shown.length) % Math.max(1, shown.length));
      return shown.length > 0;
    }
    return (key === "Enter" || key === "Tab") && choose(shown[at]);
  };
  return (
    <div class="suggestions card" id={id} role="listbox" aria-label="Files and folders">
      {shown.length === 0 && (
        <p class="muted small">
          {found.value ? "No file or folder has this name." : "Looking for files …"}
        </p>
      )}
      {shown.map((mention, index) => (
        <Button
          key={`${mention.rootIndex} ${mention.path}`}
          role="option"
          class="item"
          tabIndex={-1}
          aria-selected={index === at}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            choose(mention);
          }}
        >
          {mention.path.endsWith("/") && <Icon name="folder" />}
          <bdi>{baseName(mention.path)}</bdi> <bdi class="muted small grow cut">{mention.path}</bdi>
        </Button>
      ))}
    </div>
  );
}
