import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { Locator } from "playwright-core";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace, sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";
import { untilEqual } from "../support/time.ts";

const FILES = 300;
// The shared engine may still close the index of a run that was cancelled.
const REMOVAL = { recursive: true, maxRetries: 10 };
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "roundhouse-folder-"));
  await mkdir(join(path, "notes"));
  for (let at = 0; at < FILES; at += 1) {
    const subject = at === 7 ? "The zeppelin landed at the lighthouse." : `Note ${at} about bread.`;
    await writeFile(join(path, "notes", `note-${at}.md`), `# Note ${at}\n\n${subject}\n`);
  }
  await writeFile(join(path, ".env"), "SECRET=zeppelin-4711\n");
  await writeFile(join(path, "broken.pdf"), "%PDF-1.4 no more");
  await writeFile(
    join(path, "<img src=x onerror=alert(1)>.md"),
    "<script>alert(1)</script> **bold**",
  );
  await writeFile(join(path, "picture.png"), PIXEL);
  return { path, [Symbol.asyncDispose]: () => rm(path, REMOVAL) };
}

it("folders: one is added by its path, indexed by itself, searched, read and removed", {
  skip: NO_CHROMIUM,
}, async () => {
  await using folder = await createFolder();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  const remove = async (card: Locator) => {
    await card.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await card.waitFor({ state: "detached" });
  };
  await opened.show("folders");

  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByRole("link", { name: "Add a folder" }).click();
  await page.getByText("No folders yet").waitFor();
  await page.getByRole("button", { name: "Add a folder" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a folder" });
  const path = dialog.getByLabel("Folder", { exact: true });
  await path.fill("notes");
  await path.press("Enter");
  await dialog.getByText("path: must be an absolute path").waitFor();
  await path.fill(join(folder.path, "notes"));
  await path.press("Enter");

  // Its indexing begins by itself.
  const root = page.getByRole("article", { name: join(folder.path, "notes") });
  await root.getByText(`${FILES} files in`).waitFor();
  await page.getByRole("button", { name: "Add a folder" }).click();
  await path.fill(folder.path);
  await path.press("Enter");
  const whole = page.getByRole("article", { name: folder.path, exact: true });
  await whole.getByText(`${FILES + 2} files in`).waitFor();
  await whole.getByText("1 could not be read").click();
  await whole.getByRole("listitem").filter({ hasText: "broken.pdf" }).waitFor();
  await remove(root);

  await page.getByRole("tab", { name: "Search" }).click();
  await page.getByRole("searchbox").fill("zeppelin lighthouse");
  await page.getByRole("searchbox").press("Enter");
  const hit = page.getByRole("listitem").filter({ hasText: "notes/note-7.md" });
  await hit.getByText("lines 1–3").waitFor();
  await untilEqual(() => hit.locator("mark").allTextContents(), ["zeppelin", "lighthouse"]);
  const search = page.url();
  await hit.getByRole("link").click();
  const preview = page
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: "notes/note-7.md" }) });
  await preview.getByText("The zeppelin landed at the lighthouse.").last().waitFor();
  await untilEqual(() => page.locator(".line.marked").count(), 3);

  await page.goto(search);
  await page.getByRole("searchbox").fill(".env");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("listitem").filter({ hasText: ".env" }).getByText("Withheld").waitFor();
  await page.getByText("zeppelin-4711").waitFor({ state: "detached" });

  await page.getByRole("tab", { name: "Files" }).click();
  await page.getByRole("link", { name: "<img src=x onerror=alert(1)>.md" }).click();
  await page.getByText("<script>alert(1)</script> **bold**").waitFor();
  await page.getByRole("link", { name: "picture.png" }).click();
  const picture = page.getByRole("img", { name: "picture.png" });
  await picture.and(page.locator('[src^="blob:"]')).waitFor();
  await page.getByRole("link", { name: "broken.pdf" }).click();
  await page.getByText("No preview").waitFor();

  await page.getByRole("tab", { name: "Indexing" }).click();
  await remove(whole);
  const [workspace] = await json(await engine.call("GET", "/workspaces"));
  assert.equal(workspace.directories, "[]");
});

it("folders: a run can be cancelled, and a root that is gone says so", {
  skip: NO_CHROMIUM,
}, async () => {
  await using folder = await createFolder();
  await using opened = await openConsole(await sharedPlace());
  const { page, engine } = opened;
  const directories = JSON.stringify([folder.path, join(folder.path, "gone")]);
  const { uuid } = await json(
    await engine.call("POST", "/workspaces", { name: "Two", directories }),
  );
  await opened.show("folders", uuid, "indexing");
  const gone = page.getByRole("article", { name: join(folder.path, "gone") });
  await gone.getByText("does not exist").waitFor();
  const cancelled = page.waitForResponse((response) => response.url().endsWith("/rag/cancel"));
  // A short run may end before the button is pressed: the page gets no response before that.
  await page.route(/\/index$/, async (route) => {
    const response = await route.fetch();
    await cancelled;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Index everything again" }).click();
  await page.getByRole("button", { name: "Stop indexing" }).click();
  assert.equal((await cancelled).status(), 202);
  await page.getByRole("button", { name: "Index everything again" }).waitFor();
});

it("folders: the roots are busy until their state is known", { skip: NO_CHROMIUM }, async () => {
  await using folder = await createFolder();
  await using opened = await openConsole(await sharedPlace());
  const { page, engine } = opened;
  const directories = JSON.stringify([folder.path]);
  const { uuid } = await json(
    await engine.call("POST", "/workspaces", { name: "Notes", directories }),
  );
  const released = Promise.withResolvers<void>();
  await page.route("**/rag/status", async (route) => {
    await released.promise;
    await route.continue();
  });
  await opened.show("folders", uuid, "indexing");
  const roots = page.getByRole("region", { name: "Indexing" });
  await roots.and(page.locator("[aria-busy=true]")).waitFor();
  await roots.getByText("Not indexed yet").waitFor({ state: "detached" });
  released.resolve();
  await roots.and(page.locator("[aria-busy=false]")).waitFor();
  await roots.getByText("Not indexed yet").waitFor();
});

it("folders: one is found by walking from folder to folder", { skip: NO_CHROMIUM }, async () => {
  await using folder = await createFolder();
  await using opened = await openConsole(await sharedPlace());
  const { page, engine } = opened;
  const { uuid } = await json(await engine.call("POST", "/workspaces", { name: "Picked" }));
  await opened.show("folders", uuid);
  await page.route("**/local-folders?path=%7E", (route) =>
    route.continue({ url: route.request().url().replace("%7E", encodeURIComponent(folder.path)) }),
  );
  await page.getByRole("button", { name: "Add a folder" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a folder" });
  const notes = dialog.getByRole("button", { name: "notes", exact: true });
  await notes.waitFor();
  await dialog.getByText("broken.pdf").waitFor({ state: "detached" });
  await notes.click();
  await dialog.getByText("There are no folders here.").waitFor();
  await dialog.getByRole("button", { name: "Folder above" }).click();
  await notes.click();
  await dialog.getByText("There are no folders here.").waitFor();
  await dialog.getByRole("button", { name: "Add this folder" }).click();
  await page.getByRole("article", { name: join(folder.path, "notes") }).waitFor();
});
