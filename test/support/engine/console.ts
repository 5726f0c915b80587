import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** An engine whose console is opened. */
export interface ConsoleTarget {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  token: string;
}

/** A console in a browser context of its own, and what it did. */
export interface BrowsedConsole extends AsyncDisposable {
  page: Page;
  /** The link that opened it. */
  link: string;
  /** The addresses of all its requests. */
  requests: string[];
  /** Uncaught errors, and what the browser refused or warned about. */
  problems: string[];
}

/** A new link, as `POST /console/links` gives it. */
export async function createConsoleLink({ origin, token }: ConsoleTarget): Promise<string> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${origin}/api/v1/console/links`, { method: "POST", headers });
  return ((await response.json()) as { url: string }).url;
}

/** Opens the console by a new link; resolves once a page of it is shown. */
export async function browseConsole(
  browser: Browser,
  target: ConsoleTarget,
  options: BrowserContextOptions = {},
): Promise<BrowsedConsole> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  const link = await createConsoleLink(target);
  await page.goto(link);
  await page.waitForSelector("nav");
  return {
    page,
    link,
    requests,
    problems,
    [Symbol.asyncDispose]: () => context.close(),
  };
}
