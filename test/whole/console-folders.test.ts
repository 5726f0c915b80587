import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { openConsole } from "../support/browser/console.ts";
import { emptyPlace, sharedPlace } from "../support/browser/shared.ts";
import { json } from "../support/http.ts";

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

it("folders: a root is added, indexed, searched, read and removed", {
  skip: NO_CHROMIUM,
}, async () => {
  await using folder = await createFolder();
  await using place = await emptyPlace();
  await using opened = await openConsole(place);
  const { page, engine } = opened;
  await opened.show("folders");

  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByText("This workspace has no folder yet").waitFor();
  const path = page.getByLabel("Add a folder of this machine");
  await path.fill("notes");
  assert.equal(await page.getByRole("button", { name: "Add folder" }).isDisabled(), true);
  await path.fill(folder.path);
  await path.press("Enter");
  const root = page.getByRole("article", { name: folder.path });
  await root.getByText("not indexed yet").waitFor();

  await root.getByRole("button", { name: "Index" }).click();
  await root.getByText(`${FILES + 2} documents`).waitFor();
  await root.getByText("1 could not be read").click();
  await root.getByRole("cell", { name: "broken.pdf" }).waitFor();

  await page.getByRole("searchbox").fill("zeppelin lighthouse");
  await page.getByRole("searchbox").press("Enter");
  const hit = page.getByRole("listitem").filter({ hasText: "notes/note-7.md" });
  await hit.getByText("lines 1–3").waitFor();
  assert.equal(await hit.getByRole("meter").count(), 2);
  await hit.getByRole("link").click();
  const preview = page
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: "notes/note-7.md" }) });
  await preview.getByText("The zeppelin landed at the lighthouse.").last().waitFor();
  await page.locator(".line.marked").nth(2).waitFor();
  assert.equal(await page.locator(".line.marked").count(), 3);

  await page.getByRole("searchbox").fill(".env");
  await page.getByRole("searchbox").press("Enter");
  await page.getByRole("listitem").filter({ hasText: ".env" }).getByText("withheld").waitFor();
  assert.equal(await page.getByText("zeppelin-4711").count(), 0);

  await page.getByRole("button", { name: folder.path }).click();
  await page.getByRole("link", { name: "<img src=x onerror=alert(1)>.md" }).click();
  await page.getByText("<script>alert(1)</script> **bold**").waitFor();
  await page.getByRole("link", { name: "picture.png" }).click();
  const picture = page.getByRole("img", { name: "picture.png" });
  await picture.waitFor();
  assert.match((await picture.getAttribute("src")) ?? "", /^blob:/);
  await page.getByRole("link", { name: "broken.pdf" }).click();
  await page.getByText("No preview").waitFor();

  await root.getByRole("button", { name: "Remove" }).press("Enter");
  const question = root.getByRole("group", { name: "Remove this root?" });
  await question.getByRole("button", { name: "Keep" }).and(page.locator(":focus")).press("Escape");
  await question.waitFor({ state: "detached" });
  await root.getByRole("button", { name: "Remove" }).click();
  await question.getByRole("button", { name: "Remove" }).click();
  await root.waitFor({ state: "detached" });
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
  await opened.show("folders", uuid);
  const gone = page.getByRole("article", { name: join(folder.path, "gone") });
  await gone.getByText("does not exist").waitFor();
  const cancelled = page.waitForResponse((response) => response.url().endsWith("/rag/cancel"));
  // A short run may end before the button is pressed: the page gets no response before that.
  await page.route(/\/index$/, async (route) => {
    const response = await route.fetch();
    await cancelled;
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Index all" }).click();
  await page.getByRole("button", { name: "Cancel indexing" }).click();
  assert.equal((await cancelled).status(), 202);
  await page.getByRole("button", { name: "Index all" }).and(page.locator(":enabled")).waitFor();
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
  await opened.show("folders", uuid);
  const roots = page.getByRole("region", { name: "Roots" });
  await roots.and(page.locator("[aria-busy=true]")).waitFor();
  assert.equal(await roots.getByText("not indexed yet").count(), 0);
  released.resolve();
  await roots.and(page.locator("[aria-busy=false]")).waitFor();
  await roots.getByText("not indexed yet").waitFor();
});
