import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchChromium, NO_CHROMIUM } from "../../support/processes/chromium.ts";
import { PASSWORD, type SigninWorld } from "../../support/signin/world.ts";

/** The person's view at `/`, in a real browser. */
export function pageTests(world: () => SigninWorld): void {
  describe("the page", { skip: NO_CHROMIUM }, () => {
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let complaints: string[];
    before(async () => {
      browser = await launchChromium();
    });
    after(() => browser?.close());

    const open = async (path = "/") => {
      context = await browser.newContext({
        extraHTTPHeaders: { "X-Forwarded-For": world().agent().address },
      });
      page = await context.newPage();
      complaints = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // A refused call is logged by the browser itself; everything else would be our fault.
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
      await page.goto(world().signin.baseUrl + path);
    };
    const close = async () => {
      assert.deepEqual(complaints, [], "no error and no broken rule of the content policy");
      await context.close();
    };
    const heading = (name: string) => page.getByRole("heading", { name }).waitFor();
    const notice = (text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();
    const problem = (text: string | RegExp) => page.getByRole("alert").getByText(text).waitFor();
    const press = (name: string, scope: Pick<Page, "getByRole"> = page) =>
      scope.getByRole("button", { name, exact: true }).click();
    const region = (name: string) => page.getByRole("region", { name });
    const logIn = async (email: string, password: string) => {
      const form = region("Sign in");
      await form.getByLabel("E-mail", { exact: true }).fill(email);
      await form.getByLabel("Password").fill(password);
      await press("Sign in with password");
    };

    it("signs up with a mailed code, shows the account, survives a reload, logs out and in again", async () => {
      const w = world();
      await open();
      await heading("Sign in");
      const email = `page${w.next()}@example.test`;
      const form = region("Create an account");
      await form.getByLabel("E-mail", { exact: true }).fill(email);
      await press("Send me a code");
      await form.getByLabel("Code from the e-mail").fill(await w.mailbox.codeFor(email));
      await form.getByLabel("Name (optional)").fill("Ada <b>Page</b>");
      await form.getByLabel("New password").fill(PASSWORD);
      await press("Create the account");
      await heading("Signed in");
      await page.getByText(`Ada <b>Page</b>, ${email}`, { exact: true }).waitFor();
      await page.reload();
      await heading("Signed in");
      await press("Log out");
      await notice("You are logged out.");
      await logIn(email, "a wrong password");
      await problem(/./);
      await logIn(email, PASSWORD);
      await heading("Signed in");
      assert.equal(page.url(), `${w.signin.baseUrl}/`);
      await close();
    });

    it("signs in by each provider, links the other one, connects a key, disconnects, and says what cannot be", async () => {
      const w = world();
      w.newOidcPerson();
      w.newGithubPerson();
      await open();
      await page.getByRole("link", { name: "Sign in with Google" }).click();
      await notice("You are signed in.");
      assert.equal(page.url(), `${w.signin.baseUrl}/`, "nothing stays in the address");
      await press("Disconnect google");
      await problem(/last way|sign in/i);
      await press("Link github");
      await notice("github is connected.");
      const key = "sk-canary-page-0123456789abcdef-WXYZ";
      w.secrets.add(key);
      await page.getByLabel("API key for openai").fill(key);
      await press("Connect openai");
      await notice("openai is connected.");
      assert.equal((await page.content()).includes(key), false, "only a hint is shown");
      await press("Disconnect google");
      await notice("google is disconnected.");
      await press("Disconnect openai");
      await notice("openai is disconnected.");
      await close();
      await open();
      await page.getByRole("link", { name: "Sign in with GitHub" }).click();
      await notice("You are signed in.");
      await page.getByRole("button", { name: "Disconnect github" }).waitFor();
      await close();
    });

    it("links a provider to an account with a password, whose session survives the way there and back", async () => {
      const w = world();
      const { email } = await w.signUp();
      w.newGithubPerson();
      await open();
      await logIn(email, PASSWORD);
      await heading("Signed in");
      await press("Link github");
      await notice("github is connected.");
      await page.getByText(email).waitFor();
      await close();
    });

    it("lists sessions, ends one, and ends all others", async () => {
      const w = world();
      const { email, access_token } = await w.signUp();
      await w.agent().post("/auth/login", { email, password: PASSWORD });
      await open();
      await logIn(email, PASSWORD);
      const rows = region("Sessions").getByRole("listitem");
      await rows.nth(2).waitFor();
      assert.equal(await rows.count(), 3);
      await region("Sessions")
        .getByRole("button", { name: /^End the/ })
        .first()
        .click();
      await notice("The session is ended.");
      assert.equal(await rows.count(), 2);
      await press("End all other sessions");
      await notice("All other sessions are ended.");
      assert.equal(await rows.count(), 1);
      assert.equal((await w.me(access_token)).status, 401);
      await region("Recent activity").getByText("session.revoked").first().waitFor();
      await close();
    });

    it("sets a new password with a mailed code", async () => {
      const w = world();
      const { email } = await w.signUp();
      await open();
      const form = region("Forgot the password?");
      await form.getByLabel("E-mail", { exact: true }).fill(email);
      await press("Send me a reset code");
      await form.getByLabel("Code from the e-mail").fill(await w.mailbox.codeFor(email));
      await form.getByLabel("New password").fill("a brand new password 5");
      await press("Set the new password");
      await notice(/^The password is changed/);
      await heading("Signed in");
      await close();
    });

    it("can be used by keyboard alone, names everything, and moves the focus where the page changed", async () => {
      const w = world();
      const { email } = await w.signUp();
      await open();
      await heading("Sign in");
      const nameless = await page.locator("input, button, a, section").evaluateAll(
        (all) =>
          all.filter((each) => {
            const labelled = each instanceof HTMLInputElement && each.labels?.length;
            return !labelled && !each.textContent?.trim() && !each.getAttribute("aria-label");
          }).length,
      );
      assert.equal(nameless, 0);
      await page.getByRole("link", { name: "Sign in with GitHub" }).focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type(email);
      await page.keyboard.press("Tab");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await heading("Signed in");
      assert.equal(await page.evaluate("document.activeElement.id"), "account-title");
      await close();
    });

    it("says that a provider is connected where it is, whatever the address says", async () => {
      const w = world();
      const { email } = await w.signUp();
      await open();
      await logIn(email, PASSWORD);
      await heading("Signed in");
      for (const claimed of ["Your bank", "github"]) {
        await page.goto(`${w.signin.baseUrl}/?connected=${encodeURIComponent(claimed)}`);
        await region("Recent activity").getByText("login.success").first().waitFor();
        await heading("Signed in");
        assert.equal(await page.locator("#notice").textContent(), "", claimed);
      }
      await close();
    });

    it("fits 320 px with text of 200 %, without scrolling sideways", async () => {
      await open();
      await page.setViewportSize({ width: 320, height: 640 });
      await heading("Sign in");
      for (const part of ["signed-out", "signed-in"]) {
        const [content, view] = await page.evaluate((shown) => {
          document.documentElement.style.fontSize = "200%";
          for (const id of ["signed-out", "signed-in"]) {
            const part = document.getElementById(id);
            if (part) part.hidden = id !== shown;
          }
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        }, part);
        assert.equal(content, view, part);
      }
      await close();
    });

    it("keeps to its content policy: no inline script or style, nothing from elsewhere, no HTML from data", async () => {
      const w = world();
      const answers = await Promise.all(
        ["/", "/page/style.css", "/page/script.js"].map((path) => w.agent().get(path)),
      );
      for (const { status, headers } of answers) {
        assert.equal(status, 200);
        const policy = headers.get("content-security-policy") ?? "";
        assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/);
        assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      }
      const [html, , script] = answers.map(({ text }) => text);
      assert.doesNotMatch(
        html ?? "",
        /<script(?![^>]*src=)|<style|\son[a-z]+=|\sstyle=|https?:\/\//,
      );
      assert.doesNotMatch(
        script ?? "",
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/,
      );
      await open();
      const blocked = await page.evaluate(() => {
        const added = document.createElement("script");
        try {
          added.text = "window.ran = true";
          document.body.append(added);
        } catch {}
        return !("ran" in window);
      });
      assert.equal(blocked, true);
      await context.close();
    });
  });
}
