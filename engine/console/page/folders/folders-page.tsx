import { useState } from "preact/hooks";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { Button } from "../ui/action.tsx";
import { Empty } from "../ui/load.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { changeWorkspace, useWorkspace } from "../workspaces.ts";
import { Files } from "./files.tsx";
import { FolderPicker } from "./folder-picker.tsx";
import { Indexing } from "./indexing.tsx";
import { pathsOf } from "./roots-config.ts";
import { Search } from "./search.tsx";

const TABS = [
  ["files", "Files"],
  ["search", "Search"],
  ["indexing", "Indexing"],
] as const;

/** Folders: what answers can read, `#/folders/<workspace>/<tab>`. */
export function FoldersPage() {
  const workspace = useWorkspace();
  const [isPicking, setPicking] = useState(false);
  const [current] = TABS.find(([name]) => name === route.value[2]) ?? TABS[0];
  const { uuid } = workspace;
  const add = async (path: string) => {
    const changed = await changeWorkspace(uuid, (now) => ({
      directories: [...pathsOf(now).filter((it) => it !== path), path],
    }));
    setPicking(false);
    location.hash = hrefOf("folders", uuid, "indexing");
    const at = pathsOf(changed).indexOf(path);
    // The page shows how far it is, and how it ended.
    void engine.retrieval.indexRoot(uuid, at).catch(() => {});
  };
  const hasFolders = pathsOf(workspace).length > 0;
  return (
    <>
      <header class="row spread">
        <h1>Folders</h1>
        <Button class="primary" onClick={() => setPicking(true)}>
          Add a folder
        </Button>
      </header>
      {isPicking && <FolderPicker onAdd={add} onClose={() => setPicking(false)} />}
      {hasFolders ? (
        <Tabs
          label="Folders"
          tabs={TABS}
          current={current}
          onSelect={(name) => (location.hash = hrefOf("folders", uuid, name))}
        >
          {current === "files" && <Files />}
          {current === "search" && <Search />}
          {current === "indexing" && <Indexing />}
        </Tabs>
      ) : (
        <Empty title="No folders yet">
          <p>
            Add a folder. Its files are indexed on this machine, and answers can then read and cite
            them.
          </p>
        </Empty>
      )}
    </>
  );
}
