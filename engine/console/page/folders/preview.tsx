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
  const place = useRef<HTMLPreElement>(null);
  const isRead = content.value !== undefined;
  useEffect(() => {
    place.current?.querySelector(".marked")?.scrollIntoView({ block: "center" });
  }, [isRead]);
  const isMarked = (line: number) => marked && line >= marked[0] && line <= marked[1];
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
        <pre class="numbered" ref={place}>
          {shown.map((line, at) => (
            <span key={at} class={isMarked(at + 1) ? "line marked" : "line"}>
              {line.slice(0, LINE_CHARACTERS_MAX) || " "}
            </span>
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
