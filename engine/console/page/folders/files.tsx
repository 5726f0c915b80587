import { useState } from "preact/hooks";
import type { FileEntry } from "../../../client/client.ts";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { formatNumber } from "../ui/format.ts";
import { Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import type { WorkspaceProps } from "../ui/workspaces.tsx";
import { Preview } from "./preview.tsx";
import { pathsOf } from "./roots-config.ts";

// A folder can have any number of entries; a page of them is shown at once.
const ENTRIES_SHOWN = 200;

/** The files of the roots as a tree, beside the file that the address names: `#/folders/W/root/path/lines`. */
export function Files({ workspace }: WorkspaceProps) {
  const [, , root, path, lines] = route.value;
  const paths = pathsOf(workspace);
  if (paths.length === 0) return null;
  return (
    <section aria-labelledby="files">
      <h2 id="files">Files</h2>
      <div class="files">
        <ul class="tree card">
          {paths.map((name, rootIndex) => (
            <Folder key={name} workspace={workspace} place={{ rootIndex, path: "", name }} />
          ))}
        </ul>
        {path !== undefined && (
          <Preview
            key={`${root} ${path} ${lines}`}
            workspace={workspace}
            file={{ rootIndex: Number(root), path }}
            lines={lines}
          />
        )}
      </div>
    </section>
  );
}

interface Place {
  rootIndex: number;
  path: string;
  name: string;
}

function Folder({ workspace, place }: WorkspaceProps & { place: Place }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        class="quiet entry-name"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true" class="twist" />
        <bdi>{place.name}</bdi>
      </button>
      {isOpen && <Entries workspace={workspace} place={place} />}
    </li>
  );
}

function Entries({ workspace, place }: WorkspaceProps & { place: Place }) {
  const { rootIndex, path } = place;
  const [shown, setShown] = useState(ENTRIES_SHOWN);
  const list = useLoad(`${workspace.uuid} ${rootIndex} ${path}`, (signal) =>
    engine.files.list(workspace.uuid, { rootIndex, path }, { signal }),
  );
  if (list.error) return <Failure error={list.error} onRetry={list.reload} />;
  if (!list.value) return <Progress label="Loading the folder" />;
  if (list.value.length === 0) return <p class="muted small empty-folder">Empty</p>;
  const left = list.value.length - shown;
  return (
    <ul>
      {list.value.slice(0, shown).map((entry) => (
        <Entry key={entry.relativePath} workspace={workspace} rootIndex={rootIndex} entry={entry} />
      ))}
      {left > 0 && (
        <li>
          <button type="button" onClick={() => setShown(shown + ENTRIES_SHOWN)}>
            Show more ({formatNumber(left)} left)
          </button>
        </li>
      )}
    </ul>
  );
}

function Entry({
  workspace,
  rootIndex,
  entry,
}: WorkspaceProps & { rootIndex: number; entry: FileEntry }) {
  const { name, relativePath, isDirectory } = entry;
  if (isDirectory) {
    const place = { rootIndex, path: relativePath, name };
    return <Folder workspace={workspace} place={place} />;
  }
  const [, , root, path] = route.value;
  const isShown = root === String(rootIndex) && path === relativePath;
  return (
    <li>
      <a
        class="entry-name"
        href={hrefOf("folders", workspace.uuid, String(rootIndex), relativePath)}
        aria-current={isShown ? "true" : undefined}
      >
        <bdi>{name}</bdi>
      </a>
    </li>
  );
}
