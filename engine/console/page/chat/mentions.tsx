import { useState } from "preact/hooks";
import type { FileSearchMatch } from "../../../client/client.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { MENTIONS_SHOWN_MAX } from "./limits.ts";
import type { Mention } from "./mention.ts";

interface SuggestionsProps {
  id: string;
  query: string;
  onChoose: (mention: Mention) => void;
}

/** What the keys do while files are suggested; says whether the key was taken. */
export interface SuggestionKeys {
  take(key: string): boolean;
}

/** The files whose names go on like this; arrow keys move, Enter and Tab take one. */
export function Suggestions({
  id,
  query,
  onChoose,
  keys,
}: SuggestionsProps & { keys: { current: SuggestionKeys | undefined } }) {
  const workspace = useWorkspace();
  const [chosen, setChosen] = useState(0);
  const found = useLoad(query, (signal) =>
    engine.files.search(workspace.uuid, { q: query, limit: MENTIONS_SHOWN_MAX }, { signal }),
  );
  const files = found.value ?? [];
  const at = Math.min(chosen, files.length - 1);
  const choose = (file: FileSearchMatch | undefined) => {
    if (file) onChoose({ rootIndex: file.rootIndex, path: file.relativePath });
    return file !== undefined;
  };
  keys.current = {
    take(key) {
      if (key === "ArrowDown" || key === "ArrowUp") {
        const step = key === "ArrowDown" ? 1 : -1;
        setChosen((at + step + files.length) % Math.max(1, files.length));
        return files.length > 0;
      }
      return (key === "Enter" || key === "Tab") && choose(files[at]);
    },
  };
  return (
    <div class="suggestions card" id={id} role="listbox" aria-label="Files">
      {files.length === 0 && (
        <p class="muted small">
          {found.value ? "No file has such a name." : "Looking for files …"}
        </p>
      )}
      {files.map((file, index) => (
        <Button
          key={`${file.rootIndex} ${file.relativePath}`}
          role="option"
          class="item"
          tabIndex={-1}
          aria-selected={index === at}
          // The field keeps the focus.
          onMouseDown={(event) => {
            event.preventDefault();
            choose(file);
          }}
        >
          <bdi>{file.name}</bdi> <bdi class="muted small grow cut">{file.relativePath}</bdi>
        </Button>
      ))}
    </div>
  );
}
