import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** An engine whose console is opened. */
export interface ConsoleTarget {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  token: string;
}

/** A console in a tab of a browser, and what it did. */
export interface ConsoleTab {
  page: Page;
  /** The link that opened it. */
  link: string;
  /** The addresses of all its requests. */
  requests: string[];
  /** Uncaught errors, and what the browser refused or warned about. */
  problems: string[];
  /** What no console does: uncaught errors, and requests to other hosts. */
  faults: string[];
  /** Shows a page of the console: `["folders", uuid]`. */
  show(...route: string[]): Promise<void>;
}

/** A console in a browser context of its own. */
export interface BrowsedConsole extends ConsoleTab, AsyncDisposable {}

/** A new link, as `POST /console/links` gives it. */
export async function createConsoleLink({ origin, token }: ConsoleTarget): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/v1/console/links`, { method: "POST", headers });
  return ((await response.json()) as { url: string }).url;
}

/** Opens the console in a context of its own by a new link. */
export async function browseConsole(
  browser: Browser,
  target: ConsoleTarget,
  options: BrowserContextOptions = {},
): Promise<BrowsedConsole> {
  const context = await browser.newContext(options);
  const tab = await openConsoleTab(context, target);
  return { ...tab, [Symbol.asyncDispose]: () => context.close() };
}

/** Opens the console in a new tab by a new link; resolves once a page of it is shown. */
export async function openConsoleTab(
  context: BrowserContext,
  target: ConsoleTarget,
): Promise<ConsoleTab> {
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  const faults: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin, href } = new URL(request.url());
    requests.push(href);
    if (protocol.startsWith("http") && origin !== target.origin) faults.push(href);
  });
  page.on("pageerror", ({ message }) => {
    problems.push(message);
    faults.push(message);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  const link = await createConsoleLink(target);
  await page.goto(link);
  await page.getByRole("navigation").waitFor();
  return {
    page,
    link,
    requests,
    problems,
    faults,
    show: (...route) => showRoute(page, ...route),
  };
}

/** Goes to a page of the console by its address. */
export function showRoute(page: Page, ...route: string[]): Promise<void> {
  return page.evaluate(
    (hash) => {
      location.hash = hash;
    },
    `#/${route.map(encodeURIComponent).join("/")}`,
  );
}
