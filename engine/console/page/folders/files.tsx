import { useState } from "preact/hooks";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { Button, useMore } from "../ui/action.tsx";
import { Icon } from "../ui/icon.tsx";
import { Empty, Loading, useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { Preview } from "./preview.tsx";
import { baseName, pathsOf } from "./roots-config.ts";

// A folder can have any number of entries; a page of them is shown at once.
const ENTRIES_SHOWN = 200;
// The engine's own folder in each root.
const INDEX_FOLDER = ".engine";

/** The files as a tree, beside the file that the address names: `#/folders/<workspace>/files/root/path/lines`. */
export function Files() {
  const workspace = useWorkspace();
  const [, , , root, path, lines] = route.value;
  return (
    <div class="beside">
      <ul class="list tree card">
        {pathsOf(workspace).map((root, rootIndex) => (
          <Folder key={root} rootIndex={rootIndex} path="" name={baseName(root)} startsOpen />
        ))}
      </ul>
      {path === undefined ? (
        <Empty title="Choose a file to read it here" />
      ) : (
        <Preview
          key={`${root} ${path} ${lines}`}
          file={{ rootIndex: Number(root), path }}
          lines={lines}
        />
      )}
    </div>
  );
}

interface Place {
  rootIndex: number;
  path: string;
}

type FolderProps = Place & { name: string; startsOpen?: boolean };

function Folder({ name, startsOpen = false, ...place }: FolderProps) {
  const [isOpen, setOpen] = useState(startsOpen);
  return (
    <li>
      <Button class="item" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="folder" /> <bdi class="cut">{name}</bdi>
      </Button>
      {isOpen && <Entries {...place} />}
    </li>
  );
}

function Entries({ rootIndex, path }: Place) {
  const workspace = useWorkspace();
  const list = useLoad(`${rootIndex} ${path}`, (signal) =>
    engine.files.list(workspace.uuid, { rootIndex, path }, { signal }),
  );
  const entries = list.value?.filter(({ name }) => name !== INDEX_FOLDER) ?? [];
  const [shown, more] = useMore(ENTRIES_SHOWN, entries.length);
  if (!list.value) return <Loading of={list} label="Loading folder" />;
  if (list.value.length === 0) return <p class="muted small">Empty</p>;
  return (
    <ul class="list">
      {entries.slice(0, shown).map(({ name, relativePath, isDirectory }) => {
        const Entry = isDirectory ? Folder : FileLink;
        return <Entry key={relativePath} rootIndex={rootIndex} path={relativePath} name={name} />;
      })}
      {more && <li>{more}</li>}
    </ul>
  );
}

function FileLink({ rootIndex, path, name }: Place & { name: string }) {
  const workspace = useWorkspace();
  const [, , , shownRoot, shownPath] = route.value;
  const isShown = shownRoot === String(rootIndex) && shownPath === path;
  return (
    <li>
      <a
        class="item"
        href={hrefOf("folders", workspace.uuid, "files", String(rootIndex), path)}
        aria-current={isShown ? "true" : undefined}
      >
        <bdi class="cut">{name}</bdi>
      </a>
    </li>
  );
}
