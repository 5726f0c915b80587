import { InWorkspace } from "../ui/workspaces.tsx";
import { Files } from "./files.tsx";
import { Roots } from "./roots.tsx";
import { Search } from "./search.tsx";

/** Folders: what the workspace may read, how far its index is, a search over it, and its files. */
export function FoldersPage() {
  return (
    <>
      <h1>Folders</h1>
      <InWorkspace page={["folders"]}>
        {(workspace) => (
          <div key={workspace.uuid}>
            <Roots workspace={workspace} />
            {workspace.directories !== null && (
              <>
                <Search workspace={workspace} />
                <Files workspace={workspace} />
              </>
            )}
          </div>
        )}
      </InWorkspace>
    </>
  );
}
