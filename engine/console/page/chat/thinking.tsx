import { Icon } from "../ui/icon.tsx";
import { TextView } from "./text-view.tsx";

/** What a model thought before its answer, folded. */
export function Thinking({ text }: { text: string }) {
  return (
    <details class="tool">
      <summary class="row">
        <Icon name="chat" /> Thoughts
      </summary>
      <div class="muted">
        <TextView text={text} isMarkdown />
      </div>
    </details>
  );
}
