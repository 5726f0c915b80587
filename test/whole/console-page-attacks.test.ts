import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import {
  type ConsoleBrowser,
  createConsoleLink,
  openConsoleBrowser,
  PAGE_PATHS,
  visitPage,
} from "../support/browser/console.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { TEST_TOKEN } from "../support/engine/engine.ts";
import { type LiveEngine, startLiveEngine } from "../support/engine/live.ts";
import { closeServer, listenOnLoopback } from "../support/fake-server.ts";
import { until, untilEqual } from "../support/time.ts";

const HOSTILE = `</p><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\u202e\u0007`;

describe("in a browser, the console", { skip: NO_CHROMIUM }, () => {
  let live: LiveEngine;
  let browser: Browser;
  let evil: Server;
  let evilOrigin: string;
  let evilPage: Page | undefined;
  // For what leaves a page as it is.
  let open: ConsoleBrowser;
  const evilSaw: { path: string; referrer: string | undefined }[] = [];
  const target = () => ({ origin: `http://127.0.0.1:${live.port}`, token: TEST_TOKEN });
  before(async () => {
    live = await startLiveEngine();
    browser = await sharedBrowser();
    evil = createServer(({ url = "", headers }, response) => {
      evilSaw.push({ path: url, referrer: headers.referer });
      response.setHeader("Content-Type", "text/html").end("<title>evil</title>");
    });
    // Another name of this machine: another site.
    evilOrigin = (await listenOnLoopback(evil)).replace("127.0.0.1", "localhost");
    open = await openConsoleBrowser(browser, target());
  });
  after(async () => {
    await evilPage?.close();
    await open[Symbol.asyncDispose]();
    await closeServer(evil);
    await live[Symbol.asyncDispose]();
  });

  async function onEvilPage<Answer>(
    look: (page: Page, origin: string) => Promise<Answer>,
  ): Promise<Answer> {
    evilPage ??= await browser.newPage();
    await evilPage.goto(`${evilOrigin}/start`);
    return look(evilPage, target().origin);
  }

  it("keeps link and token out of address, history, DOM, storage and cookies, on every page", async () => {
    const { page } = open;
    const link = new URL(open.link).hash.slice(1);
    for (const path of PAGE_PATHS) {
      await visitPage(page, path);
      const seen = await page.evaluate(() => ({
        html: document.documentElement.outerHTML,
        values: [...document.querySelectorAll("input, textarea")].map(
          (field) => (field as HTMLInputElement).value,
        ),
        address: location.href,
        stored: JSON.stringify(localStorage),
        cookies: document.cookie,
        name: window.name,
        state: JSON.stringify(history.state),
        // That of the navigation keeps the address as it was opened; its link is used up.
        timings: performance.getEntriesByType("resource").map(({ name }) => name),
      }));
      const text = JSON.stringify(seen);
      assert.ok(!text.includes(link), `the link on ${path}`);
      assert.ok(!text.includes(TEST_TOKEN), `the token on ${path}`);
    }
    for (const address of open.requests.slice(1)) assert.ok(!address.includes(TEST_TOKEN), address);
    assert.deepEqual(await page.context().cookies(), []);
  });

  it("asks nothing of another host, and the browser refuses nothing of its own", async () => {
    for (const path of PAGE_PATHS) await visitPage(open.page, path);
    const others = open.requests.filter((address) => !address.startsWith(target().origin));
    assert.deepEqual(others, []);
    assert.deepEqual(
      open.problems.filter((text) => /Content Security Policy|Trusted/i.test(text)),
      [],
    );
  });

  it("has a session in its own tab alone", async () => {
    const second = await open.page.context().newPage();
    await second.goto(`${target().origin}/console/`);
    await second.getByRole("heading", { name: "Open the console again" }).waitFor();
    await second.close();
  });

  it("shows a refused link as a sentence, and nothing of it", async () => {
    const page = await browser.newPage();
    await page.goto(`${target().origin}/console/#${encodeURIComponent(HOSTILE)}`);
    await page.getByText("The link was used before, or is older than a minute.").waitFor();
    await untilEqual(() => page.title(), "Roundhouse");
    await page.waitForURL((url) => url.hash === "");
    await page.close();
  });

  it("loses no session to a fragment that another page puts into its address", async () => {
    const { page } = open;
    await page.evaluate(() => {
      location.hash = "guessed";
    });
    await page.waitForURL((url) => url.hash === "");
    await untilEqual(() => page.getByRole("navigation").count(), 1);
    for (const hash of [
      "#/%00",
      "#/%",
      "#/javascript:alert(1)",
      "#/__proto__",
      "#//evil.example",
    ]) {
      await page.evaluate((it) => {
        location.hash = it;
      }, hash);
      await page.getByRole("heading", { level: 1 }).waitFor();
    }
  });

  it("cannot be framed", async () => {
    const framed = await onEvilPage(async (page, origin) => {
      const link = await createConsoleLink(target());
      await page.evaluate((src) => {
        const frame = document.createElement("iframe");
        frame.src = src;
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener("load", resolve));
      }, link);
      const frames = page.frames().map((frame) => frame.url());
      return { frames, origin };
    });
    assert.ok(!framed.frames.some((url) => url.startsWith(framed.origin)), framed.frames.join());
  });

  it("gives the page that opened it no hold on it", async () => {
    const link = await createConsoleLink(target());
    await onEvilPage(async (page) => {
      const [opened] = await Promise.all([
        page.context().waitForEvent("page"),
        page.evaluate((url) => {
          Object.assign(globalThis, { held: window.open(url) });
        }, link),
      ]);
      await opened.waitForSelector("nav");
      await opened.waitForFunction(() => window.opener === null);
      const isSevered = () =>
        page.evaluate(() => (globalThis as { held?: Window }).held?.closed || undefined);
      await until("The end of the hold", isSevered);
      await opened.close();
    });
  });

  it("is read and used by no script of another site", async () => {
    const link = new URL(await createConsoleLink(target())).hash.slice(1);
    const results = await onEvilPage((page, origin) =>
      page.evaluate(
        async ([base, body]) => {
          const load = (tag: "script" | "img", url: string) =>
            new Promise<string>((resolve) => {
              const element = document.createElement(tag);
              element.onload = () => resolve("loaded");
              element.onerror = () => resolve("refused");
              element.src = url;
              document.body.append(element);
            });
          const simple = { method: "POST", mode: "no-cors" as const, body };
          const refused = () => "refused";
          return Promise.all([
            load("script", `${base}/console/console.js`),
            load("img", `${base}/console/icon.svg`),
            fetch(`${base}/console/`).then((it) => it.text(), refused),
            fetch(`${base}/console/session`, { method: "POST", body }).then(
              (it) => it.text(),
              refused,
            ),
            fetch(`${base}/console/session`, simple).then((it) => it.type, refused),
          ]);
        },
        [origin, JSON.stringify({ link })] as const,
      ),
    );
    assert.deepEqual(results.slice(0, 4), ["refused", "refused", "refused", "refused"]);
    // Nothing used the link up.
    const origin = target().origin;
    const answer = await fetch(`${origin}/console/session`, {
      method: "POST",
      headers: { origin },
      body: JSON.stringify({ link }),
    });
    assert.equal(answer.status, 200);
  });

  it("has no place for HTML, scripts, styles, images and requests of others", async () => {
    await using open = await openConsoleBrowser(browser, target());
    const results = await open.page.evaluate(async (other) => {
      const refusal = (work: () => unknown) => {
        try {
          work();
          return "allowed";
        } catch {
          return "refused";
        }
      };
      const load = (tag: "script" | "img" | "iframe" | "link", set: (element: never) => void) =>
        new Promise<string>((resolve) => {
          const element = document.createElement(tag);
          element.onload = () => resolve("allowed");
          element.onerror = () => resolve("refused");
          document.addEventListener("securitypolicyviolation", () => resolve("refused"));
          try {
            set(element as never);
            document.head.append(element);
          } catch {
            resolve("refused");
          }
        });
      const refused = () => "refused";
      const style = document.createElement("style");
      style.textContent = "body { outline: 7px solid red }";
      document.head.append(style);
      return {
        html: refusal(() => {
          document.body.innerHTML = "<b>x</b>";
        }),
        policy: refusal(() => Reflect.get(window, "trustedTypes").createPolicy("x", {})),
        script: await load("script", (it: HTMLScriptElement) => {
          it.src = `${other}/x.js`;
        }),
        image: await load("img", (it: HTMLImageElement) => {
          it.src = `${other}/x.png`;
        }),
        frame: await load("iframe", (it: HTMLIFrameElement) => {
          it.src = `${other}/x`;
        }),
        sheet: await load("link", (it: HTMLLinkElement) => {
          it.rel = "stylesheet";
          it.href = `${other}/x.css`;
        }),
        style: getComputedStyle(document.body).outlineWidth === "7px" ? "allowed" : "refused",
        request: await fetch(other).then(() => "allowed", refused),
        beacon: await fetch(`${other}/x`, { mode: "no-cors" }).then(() => "allowed", refused),
        service: await navigator.serviceWorker
          .register("/console/console.js")
          .then(() => "allowed", refused),
      };
    }, evilOrigin);
    for (const [what, result] of Object.entries(results)) assert.equal(result, "refused", what);
    assert.ok(!evilSaw.some(({ path }) => path.startsWith("/x")));
  });

  it("tells a page that it links to nothing of itself", async () => {
    await using open = await openConsoleBrowser(browser, target());
    await open.page.evaluate((url) => {
      const link = document.createElement("a");
      link.href = url;
      document.body.append(link);
      link.click();
    }, `${evilOrigin}/linked`);
    await open.page.waitForURL(`${evilOrigin}/linked`);
    const seen = evilSaw.find(({ path }) => path === "/linked");
    assert.deepEqual(seen, { path: "/linked", referrer: undefined });
  });

  it("shows hostile names as text, on every page", async () => {
    const directories = JSON.stringify([`/nowhere/${HOSTILE.replaceAll("\u0007", "")}`]);
    const ragConfig = JSON.stringify({ roots: [{ rootIndex: 0, enabled: true }] });
    const workspace = await live.test.call("POST", "/workspaces", {
      name: HOSTILE,
      directories,
      ragConfig,
    });
    const { uuid } = (await workspace.json()) as { uuid: string };
    const title = HOSTILE;
    const made = await live.test.call("POST", "/threads", { workspaceUuid: uuid, title });
    const thread = (await made.json()) as { uuid: string };
    for (const role of ["user", "assistant", "tool"]) {
      const message = { threadUuid: thread.uuid, role, content: HOSTILE };
      assert.ok((await live.test.call("POST", "/messages", message)).ok);
    }
    const places = [...PAGE_PATHS.map((path) => [path]), ["folders", uuid]];
    for (const path of [...places, ["chat", uuid, thread.uuid]]) {
      await visitPage(open.page, ...path);
      const found = await open.page.evaluate(() => ({
        title: document.title,
        images: document.querySelectorAll("#content img[src='x']").length,
        scripts: document.querySelectorAll("#console script").length,
      }));
      assert.notEqual(found.title, "owned", path.join("/"));
      assert.deepEqual([found.images, found.scripts], [0, 0], path.join("/"));
    }
    const others = open.requests.filter((address) => !address.startsWith(target().origin));
    assert.deepEqual(others, []);
  });
});
