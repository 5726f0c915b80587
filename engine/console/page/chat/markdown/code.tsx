import { useEffect, useState } from "preact/hooks";
import { toVisible } from "../../../../visible.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { lazy } from "../../ui/lazy.ts";
import { Scrollable } from "../../ui/scrollable.tsx";
import {
  CODE_COLORED_CHARACTERS_MAX,
  CODE_COLORED_WAIT_MS,
  CODE_PIECE_CHARACTERS_MAX,
} from "../limits.ts";
import type { CodePart } from "./highlight.ts";
import { piecesOf } from "./pieces.ts";

const highlighter = lazy(() => import("./highlight.ts"));

/** Code in pieces, so that a long one that grows is laid out at its end alone. Once it rests it gets its colours. */
export function Code({ language: written, text }: { language: string; text: string }) {
  const language = written.split(" ", 1)[0]?.toLowerCase() ?? "";
  const colored = useColors(language, text);
  return (
    <figure class="code">
      <figcaption class="row spread muted small">
        <span>{toVisible(language) || "text"}</span>
        <CopyButton text={() => text} />
      </figcaption>
      <Scrollable label="Code">
        <pre>
          <code>
            {colored
              ? colored.map(toElement)
              : piecesOf(text, CODE_PIECE_CHARACTERS_MAX).map((piece, at) => (
                  <span key={at} class="piece">
                    {toVisible(piece)}
                  </span>
                ))}
          </code>
        </pre>
      </Scrollable>
    </figure>
  );
}

function toElement(part: CodePart, at: number) {
  if (part.type === "text") return toVisible(part.value);
  if (part.type !== "element") return null;
  const [name] = part.properties.className as string[];
  return (
    <span key={at} class={name}>
      {part.children.map(toElement)}
    </span>
  );
}

function useColors(language: string, text: string): readonly CodePart[] | undefined {
  const [rested, setRested] = useState<string>();
  const isSmall = language !== "" && text.length <= CODE_COLORED_CHARACTERS_MAX;
  useEffect(() => {
    if (!isSmall) return;
    const timer = setTimeout(() => setRested(text), CODE_COLORED_WAIT_MS);
    return () => clearTimeout(timer);
  }, [text, isSmall]);
  if (!isSmall || rested !== text) return undefined;
  return highlighter()?.highlight(text, language);
}
