import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { serve } from "../../shared/node/serve.ts";
import { createSignin } from "../../signin/app.ts";
import { TEXTS } from "../../signin/texts/texts.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedBrowser } from "../support/browser/shared.ts";
import { addAuthenticator, withoutOffers } from "../support/browser/signin.ts";
import { freePort } from "../support/fake-server.ts";
import { beginFlow, keptCookies, openCallback } from "../support/signin/flows.ts";
import { BASE_URL } from "../support/signin/signin.ts";
import { createSigninWithUsers, PASSWORD } from "../support/signin/users.ts";
import { untilEqual } from "../support/time.ts";

const texts = TEXTS.en.page;

const EMAIL = "ada@example.test";

/** A server without mail on a socket, and beside it one with mail on the same database, where people sign up. */
async function openServer() {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const address = `http://localhost:${port}`;
  const users = stack.use(
    await createSigninWithUsers({
      APP_ENV: "test",
      APP_BASE_URL: address,
      APP_UI_BASE_URL: `${address}/`,
      TRUSTED_HOSTS: new URL(BASE_URL).host,
    }),
  );
  const config = { ...users.deps.config, mail: { kind: "none" as const } };
  const signin = createSignin({ ...users.deps, config });
  const fetch = (request: Request) => signin.fetch(request, { address: "127.0.0.1" });
  stack.use(await serve({ host: "127.0.0.1", port, fetch }));
  const held = stack.move();
  return { users, address, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

describe("the page of a server without mail", { skip: NO_CHROMIUM }, () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof openServer>>;
  let context: BrowserContext;
  let page: Page;
  before(async () => {
    browser = await sharedBrowser();
    server = await openServer();
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  const open = async () => {
    context = await browser.newContext({ locale: "en" });
    page = await context.newPage();
  };
  const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor();
  const region = (name: string) => page.getByRole("region", { name });
  const names = (scope: Pick<Page, "getByRole">, role: "button" | "link", expected: string[]) =>
    untilEqual(() => scope.getByRole(role).allTextContents(), expected);

  it("offers providers and passwords, and no code, no sign-up and no reset", async () => {
    await open();
    for (const view of ["", "#sign-up", "#reset", "#code"]) {
      await page.goto("about:blank");
      await page.goto(server.address + view);
      await heading("Sign in");
      await page.getByLabel("Password", { exact: true }).waitFor();
      await page.waitForURL(`${server.address}/#sign-in`);
      await names(page, "link", ["Continue with Google", "Continue with GitHub"]);
    }
    await context.close();
  });

  it("changes a password with the old one alone, and no address", async () => {
    await server.users.signUp(EMAIL);
    await open();
    await page.goto(server.address);
    await page.getByLabel("E-mail").fill(EMAIL);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await heading("Your account");
    await names(region("Profile"), "button", ["Change"]);
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByLabel("Current password").waitFor();
    const forgot = page.getByRole("button", { name: "Forgot your password?" });
    await forgot.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Delete account" }).click();
    await page.locator("#data").getByLabel("Password", { exact: true }).waitFor();
    await context.close();
  });

  it("deletes an account without a password by a passkey, once the sign-in is no longer fresh", async () => {
    const { users, address } = server;
    const signedIn = await openCallback(users, await beginFlow(users), {
      email: "cleo@example.test",
    });
    const [name = "", value = ""] = keptCookies(signedIn)[0]?.split("=") ?? [];
    await open();
    await context.addCookies([{ name, value, domain: "localhost", path: "/auth" }]);
    await withoutOffers(page);
    await addAuthenticator(page);
    await page.goto(address);
    await heading("Your account");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Set a password" }).waitFor({ state: "detached" });
    await page.getByRole("status").getByText(texts.passkeyAdded).waitFor();
    await users.rows("UPDATE sessions SET proven_at = 1 RETURNING id");
    await page.getByRole("button", { name: "Delete account" }).click();
    const form = page.locator("#data form");
    await form.getByRole("button", { name: "Delete account" }).waitFor();
    await form.locator("input").waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Delete account" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.waitFor();
    await names(dialog, "button", ["Use a passkey", "Cancel"]);
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByRole("status").getByText(texts.deleted).waitFor();
    await heading("Sign in");
    assert.deepEqual(await users.rows("SELECT id FROM users WHERE email LIKE 'cleo@%'"), []);
    await context.close();
  });
});
