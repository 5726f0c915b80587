import { signal } from "@preact/signals";
import { Conversations } from "./chat/conversations.tsx";
import { opensSearch } from "./chat/search-dialog.tsx";
import { EngineLine } from "./engine-line.tsx";
import { showsInstructions } from "./instructions.tsx";
import { type ConsolePage, PAGES } from "./pages.ts";
import { hrefOf, route } from "./router.ts";
import { engine } from "./session.ts";
import { Button, IconButton } from "./ui/action.tsx";
import { ask, LossButton } from "./ui/ask.tsx";
import { Icon } from "./ui/icon.tsx";
import { Menu } from "./ui/menu.tsx";
import { waiting } from "./waiting.ts";
import { changeWorkspace, createWorkspace, workspace, workspaces } from "./workspaces.ts";

/** Whether a narrow window shows the side bar in the place of the page. */
export const showsSideBar = signal(false);

/** The workspace of all pages, the pages, the conversations, and how the engine is. */
export function SideBar({ page }: { page: ConsolePage | undefined }) {
  const current = workspace.value;
  const isNewChat = page?.path === "chat" && route.value[2] === undefined;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its links take the keys.
    <aside
      class="side"
      aria-label="Workspace, pages and chats"
      onClick={({ target }) => {
        if (target instanceof Element && target.closest("a")) showsSideBar.value = false;
      }}
    >
      <WorkspaceMenu />
      <nav aria-label="Pages">
        <ul class="list">
          {PAGES.map(({ path, title, icon }) => (
            <li key={path}>
              <a
                class="item"
                href={hrefOf(path, ...(current ? [current.uuid] : []))}
                aria-current={
                  page?.path === path && (path !== "chat" || isNewChat) ? "page" : undefined
                }
              >
                <Icon name={icon} /> <span class="grow">{title}</span>
                {path === "approvals" && <WaitingBadge />}
              </a>
            </li>
          ))}
          <li>
            <Button class="item" onClick={() => (opensSearch.value = true)}>
              <Icon name="search" /> <span class="grow">Search chats</span> <kbd>Ctrl K</kbd>
            </Button>
          </li>
        </ul>
      </nav>
      {current && <Conversations key={current.uuid} />}
      <EngineLine />
    </aside>
  );
}

function WaitingBadge() {
  const count = waiting.value?.length ?? 0;
  if (count === 0) return null;
  return (
    <span class="badge warn">
      {count} <span class="visually-hidden">waiting</span>
    </span>
  );
}

/** Above the page of a narrow window. */
export function SideBarButton({ title }: { title: string }) {
  return (
    <header class="top-bar row">
      <IconButton
        icon={showsSideBar.value ? "close" : "menu"}
        aria-expanded={showsSideBar.value}
        label="Workspace, pages and chats"
        onClick={() => (showsSideBar.value = !showsSideBar.value)}
      />
      <span class="grow cut">{title}</span>
      <WaitingBadge />
    </header>
  );
}

/** Chooses, creates, renames and deletes workspaces. */
function WorkspaceMenu() {
  const current = workspace.value;
  const [page = "chat"] = route.value;
  return (
    <Menu
      label={`Workspace: ${current?.name ?? "none"}`}
      class="quiet workspace"
      text={
        <>
          <img src="icon.svg" alt="" width="24" height="24" />
          <bdi class="grow cut">{current?.name ?? "Roundhouse"}</bdi> <Icon name="choose" />
        </>
      }
    >
      {workspaces.value?.map(({ uuid, name }) => (
        <a key={uuid} class="item" href={hrefOf(page, uuid)} aria-current={uuid === current?.uuid}>
          <bdi class="grow cut">{name}</bdi> {uuid === current?.uuid && <Icon name="done" />}
        </a>
      ))}
      <hr />
      <Button
        class="item"
        onClick={() =>
          ask({
            title: "New workspace",
            field: { label: "Name", value: "" },
            verb: "Create",
            run: createWorkspace,
          })
        }
      >
        New workspace
      </Button>
      {current && <WorkspaceActions uuid={current.uuid} name={current.name} />}
    </Menu>
  );
}

function WorkspaceActions({ uuid, name }: { uuid: string; name: string }) {
  return (
    <>
      <Button class="item" onClick={() => (showsInstructions.value = true)}>
        Instructions
      </Button>
      <Button
        class="item"
        onClick={() =>
          ask({
            title: "Rename workspace",
            field: { label: "Name", value: name },
            verb: "Rename",
            run: (typed) => changeWorkspace(uuid, () => ({ name: typed })),
          })
        }
      >
        Rename
      </Button>
      <LossButton
        class="item danger"
        verb="Delete"
        title="Delete this workspace?"
        text={`This permanently deletes “${name}”, its chats and their messages. Its folders and files stay.`}
        run={async () => {
          await engine.workspaces.delete(uuid);
          await workspaces.reload();
          location.hash = hrefOf("chat");
        }}
      />
    </>
  );
}
