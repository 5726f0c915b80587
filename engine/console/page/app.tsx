import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isReachable } from "./connection.ts";
import type { ConsolePage } from "./page.ts";
import { PAGES } from "./pages.ts";
import { hrefOf, route } from "./router.ts";
import { isLocked, session } from "./session.ts";
import { Shortcuts, showsShortcuts } from "./shortcuts.tsx";
import { Announcements } from "./ui/announce.tsx";
import { Icon } from "./ui/icon.tsx";
import { ThemeSwitch } from "./ui/theme.tsx";
import { Closed, Locked, Opening, Unreachable } from "./without-engine.tsx";

/** The whole console: its entry, or the navigation with the page that the address names. */
export function App() {
  const { value } = session;
  if (value.state === "opening") return <Opening />;
  if (value.state === "closed") return <Closed reason={value.reason} />;
  return <Shell />;
}

function Shell() {
  const [name] = route.value;
  const page = name === undefined ? PAGES[0] : PAGES.find(({ path }) => path === name);
  const content = useRef<HTMLElement>(null);
  usePageFocus(page, content);
  return (
    <div class="shell">
      <SkipLink />
      <Navigation current={page?.path} />
      <main class="content" id="content" tabIndex={-1} ref={content}>
        {!isReachable.value && <Unreachable />}
        {page ? <page.Page key={page.path} /> : <NoSuchPage />}
      </main>
      <Announcements />
      <Shortcuts />
      {isLocked.value && <Locked />}
    </div>
  );
}

function NoSuchPage() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        The address names no page of the console. <a href={hrefOf()}>Show the first one</a>
      </p>
    </>
  );
}

/** A page names the tab. Its heading gets the focus when a person came from another page, so that a screen reader says it. */
function usePageFocus(page: ConsolePage | undefined, content: RefObject<HTMLElement | null>): void {
  const left = useRef<ConsolePage>(undefined);
  useEffect(() => {
    document.title = page ? `${page.title} · Roundhouse` : "Roundhouse";
    const hasCome = left.current !== undefined;
    left.current = page;
    if (!hasCome) return;
    scrollTo(0, 0);
    const heading = content.current?.querySelector("h1");
    heading?.setAttribute("tabindex", "-1");
    (heading ?? content.current)?.focus();
  }, [page]);
}

/** A button: the address holds the route, so a link to the content would leave the page. */
function SkipLink() {
  return (
    <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
      Skip to content
    </button>
  );
}

function Navigation({ current }: { current: string | undefined }) {
  return (
    <nav class="navigation" aria-label="Pages">
      <a class="brand" href={hrefOf()}>
        <img src="icon.svg" alt="" width="24" height="24" /> <span>Roundhouse</span>
      </a>
      <ul>
        {PAGES.map(({ path, title, icon }) => (
          <li key={path}>
            <a href={hrefOf(path)} aria-current={path === current ? "page" : undefined}>
              <Icon name={icon} /> <span>{title}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="navigation-foot">
        <ThemeSwitch />
        <button
          type="button"
          class="quiet small"
          title="Keyboard shortcuts"
          onClick={() => {
            showsShortcuts.value = true;
          }}
        >
          <kbd>?</kbd> <span class="visually-hidden">Keyboard shortcuts</span>
        </button>
      </div>
    </nav>
  );
}
