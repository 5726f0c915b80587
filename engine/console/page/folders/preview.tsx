import { useEffect, useRef } from "preact/hooks";
import { engine } from "../session.ts";
import { useMore } from "../ui/action.tsx";
import { Empty, Progress, useLoad } from "../ui/load.tsx";
import { NoPreview, Picture } from "../ui/picture.tsx";
import { Scrollable } from "../ui/scrollable.tsx";
import { useWorkspace } from "../workspaces.ts";
import { kindOf, parseLines } from "./text-lines.ts";

const PART_LINES_MAX = 2000;
const LINE_CHARACTERS_MAX = 2000;

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
  const lines = content.value?.content.replace(/\n$/, "").split("\n") ?? [];
  const [shownMax, more] = useMore(
    Math.max(PART_LINES_MAX, marked?.[1] ?? 0),
    lines.length,
    "lines ",
  );
  if (content.error) return <NoPreview error={content.error} />;
  if (!content.value) return <Progress label="Loading file" />;
  const shown = lines.slice(0, shownMax);
  if (content.value.content === "") return <Empty title="The file is empty" />;
  return (
    <>
      <Scrollable label="File contents" class="text">
        <pre class="numbered">
          {shown.map((line, at) => (
            <Line
              key={at}
              text={line.slice(0, LINE_CHARACTERS_MAX)}
              isMarked={marked !== undefined && at + 1 >= marked[0] && at + 1 <= marked[1]}
              isFirst={at + 1 === marked?.[0]}
            />
          ))}
        </pre>
      </Scrollable>
      {shown.some(({ length }) => length > LINE_CHARACTERS_MAX) && (
        <p class="muted small">Long lines are cut.</p>
      )}
      {more}
    </>
  );
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
