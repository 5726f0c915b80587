import { signal } from "@preact/signals";
import type { TurnSource } from "../../../client/client.ts";
import { Preview } from "../folders/preview.tsx";
import { Button, IconButton } from "../ui/action.tsx";
import { SOURCES_SHOWN_MAX } from "./limits.ts";

/** The source that stands beside the conversation. */
export const openSource = signal<TurnSource | undefined>(undefined);

/** The passages that an answer had, as numbers that open their files. */
export function Sources({ sources }: { sources: readonly TurnSource[] }) {
  if (sources.length === 0) return null;
  const chips = sources.map((source, at) => <Source key={at} source={source} number={at + 1} />);
  return (
    <section class="row sources" aria-label="Sources">
      {chips.slice(0, SOURCES_SHOWN_MAX)}
      {chips.length > SOURCES_SHOWN_MAX && (
        <details>
          <summary>{chips.length - SOURCES_SHOWN_MAX} more</summary>
          <span class="row">{chips.slice(SOURCES_SHOWN_MAX)}</span>
        </details>
      )}
    </section>
  );
}

function Source({ source, number }: { source: TurnSource; number: number }) {
  const { rootIndex, path, sensitive } = source;
  const lines = linesOf(source);
  const text = (
    <>
      <span class="muted">{number}</span> <bdi class="cut">{path.split("/").at(-1)}</bdi>
      {lines && <span class="muted">{lines.replace("-", "–")}</span>}
      {sensitive && <span class="warn">withheld</span>}
    </>
  );
  // Of a file outside the folders, and of one that was withheld, only the path is known.
  if (rootIndex === null || sensitive) {
    return (
      <span class="chip" title={path}>
        {text}
      </span>
    );
  }
  return (
    <Button
      class="chip"
      title={path}
      aria-pressed={openSource.value === source}
      onClick={() => (openSource.value = source)}
    >
      {text}
    </Button>
  );
}

/** The file of the open source at its lines. */
export function SourceFile() {
  const source = openSource.value;
  if (!source || source.rootIndex === null) return null;
  const { rootIndex, path } = source;
  return (
    <aside class="source-file" aria-label="Source">
      <IconButton
        icon="close"
        label="Close source"
        onClick={() => (openSource.value = undefined)}
      />
      <Preview
        key={`${rootIndex} ${path} ${linesOf(source)}`}
        file={{ rootIndex, path }}
        lines={linesOf(source)}
      />
    </aside>
  );
}

function linesOf({ startLine, endLine }: TurnSource): string | undefined {
  return startLine === null ? undefined : `${startLine}-${endLine ?? startLine}`;
}
