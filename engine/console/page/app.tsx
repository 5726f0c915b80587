import { useEffect } from "preact/hooks";
import { isReachable } from "./connection.ts";
import { PAGES } from "./pages.ts";
import { hrefOf, route } from "./router.ts";
import { session } from "./session.ts";
import { Icon } from "./ui/icon.tsx";

/** The whole console: its entry, or the navigation with the page that the address names. */
export function App() {
  const { value } = session;
  if (value.state === "opening") return <main class="entry" aria-busy="true" />;
  if (value.state === "closed") return <Closed reason={value.reason} />;
  const [name] = route.value;
  const page = PAGES.find(({ path }) => path === name) ?? PAGES[0];
  return (
    <div class="shell">
      <Navigation current={page?.path} />
      <main class="content" id="content" tabIndex={-1}>
        {!isReachable.value && <Unreachable />}
        {page && <page.Page engine={value.engine} />}
      </main>
      <Title text={page?.title} />
    </div>
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
    </nav>
  );
}

function Closed({ reason }: { reason: string }) {
  return (
    <main class="entry">
      <img src="icon.svg" alt="" width="48" height="48" />
      <h1>Open the console again</h1>
      <p>{reason}</p>
      <p>
        Press <kbd>o</kbd> where the engine runs, or: <code>npm run engine -- open</code>
      </p>
    </main>
  );
}

function Unreachable() {
  return (
    <p class="banner" role="alert">
      The engine does not answer. Is it running? This page goes on when it does.
    </p>
  );
}

function Title({ text }: { text: string | undefined }) {
  useEffect(() => {
    document.title = text ? `${text} · Roundhouse` : "Roundhouse";
  }, [text]);
  return null;
}
