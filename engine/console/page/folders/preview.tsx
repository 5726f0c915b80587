import { useEffect, useRef, useState } from "preact/hooks";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { Empty, Progress, useLoad } from "../ui/load.tsx";
import { NoPreview, Picture } from "../ui/picture.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { useWorkspace } from "../workspaces.ts";
import { kindOf, linesFrom, parseLines, type TextPart } from "./text-lines.ts";

type FileProps = { file: { rootIndex: number; path: string } };

/** A file: its picture, its text with the lines that were asked for, or why there is no preview. */
export function Preview({ lines, ...props }: FileProps & { lines: string | undefined }) {
  const place = useRef<HTMLElement>(null);
  const { uuid } = useWorkspace();
  useEffect(() => place.current?.scrollIntoView({ block: "nearest" }), []);
  return (
    <article class="preview" ref={place}>
      <h2 class="wrap">
        <bdi>{props.file.path}</bdi>
      </h2>
      {kindOf(props.file.path) === "image" ? (
        <Picture
          name={props.file.path}
          load={(signal) => engine.files.preview(uuid, props.file, { signal })}
        />
      ) : (
        <Text {...props} marked={parseLines(lines)} />
      )}
    </article>
  );
}

function Text({ file, marked }: FileProps & { marked: readonly [number, number] | undefined }) {
  const workspace = useWorkspace();
  const content = useLoad(file.path, (signal) =>
    engine.files.get(workspace.uuid, file, { signal }),
  );
  const [parts, setParts] = useState(1);
  if (content.error) return <NoPreview error={content.error} />;
  if (!content.value) return <Progress label="Loading the file" />;
  const shown = firstParts(content.value.content, parts);
  const last = shown.at(-1);
  const lines = shown.flatMap((part) => part.lines);
  if (lines.length === 0) return <Empty title="The file is empty" />;
  return (
    <>
      <Scrollable label="The text of the file" class="text">
        <pre class="numbered">
          {lines.map((line, at) => (
            <Line
              key={at}
              text={line}
              isMarked={isWithin(at + 1, marked)}
              isFirst={at + 1 === marked?.[0]}
            />
          ))}
        </pre>
      </Scrollable>
      {shown.some(({ isCut }) => isCut) && <p class="muted small">Long lines are cut.</p>}
      {last?.nextAt !== undefined && <Button onClick={() => setParts(parts + 1)}>Show more</Button>}
    </>
  );
}

function firstParts(text: string, count: number): TextPart[] {
  const parts: TextPart[] = [];
  for (let at: number | undefined = 0; at !== undefined && parts.length < count; ) {
    const part = linesFrom(text, at);
    parts.push(part);
    at = part.nextAt;
  }
  return parts;
}

function isWithin(line: number, marked: readonly [number, number] | undefined): boolean {
  return marked !== undefined && line >= marked[0] && line <= marked[1];
}

function Line({ text, isMarked, isFirst }: { text: string; isMarked: boolean; isFirst: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isFirst) place.current?.scrollIntoView({ block: "center" });
  }, [isFirst]);
  return (
    <span ref={place} class={isMarked ? "line marked" : "line"}>
      {text || " "}
    </span>
  );
}
