import { useEffect, useRef } from "preact/hooks";
import { Welcome } from "./chat/welcome.tsx";
import { type ConsolePage, PAGES } from "./pages.ts";
import { hrefOf, route } from "./router.ts";
import { isLocked, isReachable, session } from "./session.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { SideBar, SideBarButton, showsSideBar } from "./side-bar.tsx";
import { Button } from "./ui/action.tsx";
import { Announcements } from "./ui/announce.tsx";
import { Questions } from "./ui/ask.tsx";
import { Empty, Loading } from "./ui/load.tsx";
import { waiting } from "./waiting.ts";
import { Closed, Locked, Unreachable } from "./without-engine.tsx";
import { InWorkspace, workspace, workspaces } from "./workspaces.ts";

/** The whole console: its entry, or the side bar with the page that the address names. */
export function App() {
  const { value } = session;
  if (value.state === "closed") return <Closed reason={value.reason} />;
  return <Shell />;
}

function Shell() {
  const [name] = route.value;
  const page = name === undefined ? PAGES[0] : PAGES.find(({ path }) => path === name);
  const content = usePageFocus(page);
  return (
    <div class="shell" data-side={showsSideBar.value ? "shown" : undefined}>
      {/* A button: the address holds the route, so a link to the content would leave the page. */}
      <Button class="skip" onClick={() => content.current?.focus()}>
        Skip to content
      </Button>
      <InWorkspace value={workspace.value}>
        <SideBar page={page} />
        <SideBarButton title={titleOf(page)} />
        {!isReachable.value && <Unreachable />}
        <main class="content" id="content" tabIndex={-1} ref={content} data-page={page?.path}>
          {page ? <PageOf page={page} /> : <NoSuchPage />}
        </main>
        <Shortcuts />
      </InWorkspace>
      <Announcements />
      <Questions />
      {isLocked.value && <Locked />}
    </div>
  );
}

/** The page with the workspace that is chosen; without any workspace, the way to the first one. */
function PageOf({ page }: { page: ConsolePage }) {
  const found = workspace.value;
  if (found) return <page.Page key={`${page.path} ${found.uuid}`} />;
  if (workspaces.value?.length === 0) return <Welcome />;
  return (
    <>
      <h1>{page.title}</h1>
      <Loading of={workspaces} label="Loading workspaces" />
      {workspaces.value && route.value[1] && (
        <Empty title="Workspace not found">
          <p>
            It may have been deleted. <a href={hrefOf(page.path)}>Open another workspace</a>
          </p>
        </Empty>
      )}
    </>
  );
}

function NoSuchPage() {
  return (
    <>
      <h1>Page not found</h1>
      <p>
        The console has no page at this address. <a href={hrefOf()}>Open the first page</a>
      </p>
    </>
  );
}

/** The chat page is a new chat until a thread is named. */
function titleOf(page: ConsolePage | undefined): string {
  return page?.path === "chat" && route.value[2] ? "Chat" : (page?.title ?? "");
}

/** A page names the tab. Its heading gets the focus when a person came from another page, so that a screen reader says it. */
function usePageFocus(page: ConsolePage | undefined) {
  const content = useRef<HTMLElement>(null);
  const left = useRef<ConsolePage>(undefined);
  const focused = useRef<HTMLElement | null>(null);
  const focusHeading = () => {
    const heading = content.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    focused.current = heading ?? content.current;
    focused.current?.focus();
  };
  const count = waiting.value?.length ?? 0;
  useEffect(() => {
    const badge = count > 0 ? `(${count}) ` : "";
    document.title = page ? `${badge}${titleOf(page)} · Roundhouse` : "Roundhouse";
  }, [page, count, titleOf(page)]);
  useEffect(() => {
    const hasCome = left.current !== undefined;
    left.current = page;
    showsSideBar.value = false;
    if (!hasCome) return;
    content.current?.scrollTo(0, 0);
    focusHeading();
  }, [page]);
  useEffect(() => {
    // The page came with another heading, once the workspaces were read.
    if (focused.current?.isConnected === false && document.activeElement === document.body)
      focusHeading();
  }, [workspaces.value]);
  return content;
}
