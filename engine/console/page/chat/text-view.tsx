import { useMemo } from "preact/hooks";
import { useMore } from "../ui/action.tsx";
import { Icon } from "../ui/icon.tsx";
import { BLOCKS_SHOWN_MAX, MESSAGE_CHARACTERS_SHOWN_MAX } from "./limits.ts";
import { readBlocks } from "./markdown/blocks.ts";
import { Markdown } from "./markdown/markdown.tsx";

/** A text from its beginning, and the rest if it is asked for. What a person wrote is shown as it was typed. */
export function TextView({ text, isMarkdown }: { text: string; isMarkdown: boolean }) {
  const [shownMax, more] = useMore(MESSAGE_CHARACTERS_SHOWN_MAX, text.length, "characters ");
  const shown = text.slice(0, shownMax);
  return (
    <>
      {isMarkdown ? (
        <MarkdownText text={shown} />
      ) : (
        <div class="typed" dir="auto">
          {shown}
        </div>
      )}
      {more}
    </>
  );
}

function MarkdownText({ text }: { text: string }) {
  const blocks = useMemo(() => readBlocks(text).blocks, [text]);
  const [shownMax, more] = useMore(BLOCKS_SHOWN_MAX, blocks.length, "parts ");
  return (
    <>
      <Markdown blocks={blocks.slice(0, shownMax)} />
      {more}
    </>
  );
}

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
