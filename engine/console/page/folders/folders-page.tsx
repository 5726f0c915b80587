import type { PageProps } from "../page.ts";
import { InWorkspace } from "../ui/workspaces.tsx";
import { Files } from "./files.tsx";
import { Roots } from "./roots.tsx";
import { Search } from "./search.tsx";

/** Folders: what the workspace may read, how far its index is, a search over it, and its files. */
export function FoldersPage({ engine }: PageProps) {
  return (
    <>
      <h1>Folders</h1>
      <InWorkspace engine={engine} page={["folders"]}>
        {(workspace) => (
          <div key={workspace.uuid}>
            <Roots engine={engine} workspace={workspace} />
            {workspace.directories !== null && (
              <>
                <Search engine={engine} workspace={workspace} />
                <Files engine={engine} workspace={workspace} />
              </>
            )}
          </div>
        )}
      </InWorkspace>
    </>
  );
}
