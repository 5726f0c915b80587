import { useMemo, useState } from "preact/hooks";
import { Button } from "../ui/action.tsx";
import { formatNumber } from "../ui/format.ts";
import { BLOCKS_SHOWN_MAX, MESSAGE_CHARACTERS_SHOWN_MAX } from "./limits.ts";
import { MarkdownDocument } from "./markdown/document.ts";
import { Markdown } from "./markdown/markdown.tsx";
import { piecesOf } from "./markdown/pieces.ts";

/** A text from its beginning, and the rest if it is asked for. What a person wrote is shown as it was typed. */
export function TextView({ text, isMarkdown }: { text: string; isMarkdown: boolean }) {
  const [shownMax, setShownMax] = useState(MESSAGE_CHARACTERS_SHOWN_MAX);
  const shown = text.slice(0, shownMax);
  const rest = text.length - shown.length;
  return (
    <>
      {isMarkdown ? <MarkdownText text={shown} /> : <TypedText text={shown} />}
      {rest > 0 && (
        <Button class="quiet" onClick={() => setShownMax(shownMax + MESSAGE_CHARACTERS_SHOWN_MAX)}>
          Show more ({formatNumber(rest)} characters left)
        </Button>
      )}
    </>
  );
}

function MarkdownText({ text }: { text: string }) {
  const blocks = useMemo(() => new MarkdownDocument(text).blocks, [text]);
  const [shownMax, setShownMax] = useState(BLOCKS_SHOWN_MAX);
  return (
    <>
      <Markdown blocks={blocks.slice(0, shownMax)} />
      {blocks.length > shownMax && (
        <Button class="quiet" onClick={() => setShownMax(shownMax + BLOCKS_SHOWN_MAX)}>
          Show more
        </Button>
      )}
    </>
  );
}

const TYPED_PIECE_CHARACTERS_MAX = 8192;

function TypedText({ text }: { text: string }) {
  return (
    <div class="typed" dir="auto">
      {piecesOf(text, TYPED_PIECE_CHARACTERS_MAX).map((piece, at) => (
        <span key={at}>{piece}</span>
      ))}
    </div>
  );
}
