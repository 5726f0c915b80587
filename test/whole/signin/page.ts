import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { NO_CHROMIUM } from "../../support/browser/chromium.ts";
import { sharedBrowser } from "../../support/browser/shared.ts";
import { openAnew } from "../../support/browser/signin.ts";
import { PASSWORD, type SigninHarness } from "../../support/signin/harness.ts";
import { untilEqual } from "../../support/time.ts";

const texts = TEXTS.en.page;

/** The person's view at `/`, in a real browser. */
export function pageTests(harness: () => SigninHarness): void {
  describe("the page", { skip: NO_CHROMIUM }, () => {
    let page: Page;
    let complaints: string[];
    before(async () => {
      const browser = await sharedBrowser();
      page = await browser.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        // A refused call is logged by the browser itself; everything else would be our fault.
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
    });
    after(() => page?.close());

    const open = async () => {
      complaints = [];
      await openAnew(page, harness().signin.baseUrl, harness().agent().address);
    };
    const close = () =>
      assert.deepEqual(complaints, [], "no error and no broken rule of the content policy");
    const heading = (name: string) => page.getByRole("heading", { name }).waitFor();
    const notice = (text: string | RegExp) => page.getByRole("status").getByText(text).waitFor();
    const problem = (text: string | RegExp) => page.getByRole("alert").getByText(text).waitFor();
    const press = (name: string, scope: Pick<Page, "getByRole"> = page) =>
      scope.getByRole("button", { name, exact: true }).click();
    const region = (name: string) => page.getByRole("region", { name });
    const follow = (name: string) => page.getByRole("link", { name, exact: true }).click();
    const fill = (label: string, text: string) =>
      page.getByLabel(label, { exact: true }).fill(text);
    const holds = (label: string, text: string) =>
      untilEqual(() => page.getByLabel(label, { exact: true }).inputValue(), text);
    const logIn = async (email: string, password: string) => {
      await fill("E-mail", email);
      await fill("Password", password);
      await press("Sign in");
    };

    it("says who may sign up, tells a stranger so once the address is proven, and offers no sign-up that is closed", async () => {
      const w = harness();
      const note = texts.signUpDomains.replace("{domains}", "example.test");
      await open();
      await page.getByText(note).waitFor();
      await follow("Create an account");
      await heading("Create an account");
      await page.getByText(note).waitFor();
      const email = `page${w.next()}@elsewhere.test`;
      await fill("E-mail", email);
      await press("Send code");
      await fill("Code from the e-mail", await w.mailbox.codeFor(email));
      await fill("New password", PASSWORD);
      await press("Create account");
      await problem(texts.failures.signup_closed);
      assert.equal(await w.count("users", "email = ?", [email]), 0);
      // As a server with SIGNUP=closed writes it.
      await page.route(/\/$/, async (route) => {
        const response = await route.fetch();
        const html = await response.text();
        const body = html.replace("canSignUp&quot;:true", "canSignUp&quot;:false");
        assert.equal(body.length, html.length + 1);
        await route.fulfill({ response, body });
      });
      await page.goto("about:blank");
      await page.goto(`${w.signin.baseUrl}/#sign-up`);
      await heading("Sign in");
      await page.getByRole("link", { name: texts.withCode }).waitFor();
      await page.getByRole("link", { name: texts.signUp }).waitFor({ state: "detached" });
      close();
    });

    it("signs up with a mailed code, shows the account, survives a reload, logs out and in again", async () => {
      const w = harness();
      await open();
      await heading("Sign in");
      const email = `page${w.next()}@example.test`;
      await follow("Create an account");
      await heading("Create an account");
      await fill("E-mail", email);
      await press("Send code");
      await heading("Check your e-mail");
      // As a mail program breaks it up.
      const code = await w.mailbox.codeFor(email);
      await fill("Code from the e-mail", ` ${code.slice(0, 4)} ${code.slice(4)} `);
      await fill("Name (optional)", "Ada <b>Page</b>");
      await fill("New password", PASSWORD);
      await press("Create account");
      await notice(texts.created);
      await region("Profile").getByText("Ada <b>Page</b>", { exact: true }).waitFor();
      await region("Profile").getByText(email, { exact: true }).waitFor();
      await page.reload();
      await heading("Your account");
      await press("Sign out");
      await notice(texts.signedOut);
      await logIn(email, "a wrong password");
      await problem(/./);
      await logIn(email, PASSWORD);
      await heading("Your account");
      await page.waitForURL(`${w.signin.baseUrl}/#account`);
      close();
    });

    it("signs in by each provider, links the other one, connects a key, disconnects, and says what cannot be", async () => {
      const w = harness();
      w.newOidcPerson();
      w.newGithubPerson();
      await open();
      await page.getByRole("link", { name: "Continue with Google" }).click();
      await notice(texts.signedIn);
      // Nothing stays in the address.
      await page.waitForURL(`${w.signin.baseUrl}/#account`);
      await region("Ways to sign in").getByText(texts.onlyWay).waitFor();
      await page.getByRole("button", { name: /^Disconnect/ }).waitFor({ state: "detached" });
      await press("Connect: GitHub");
      await notice("GitHub is connected.");
      const key = "sk-canary-page-0123456789abcdef-WXYZ";
      w.secrets.add(key);
      await press("Add a key: OpenAI");
      await fill("API key: OpenAI", key);
      await press("Save");
      await notice("The key for OpenAI is stored.");
      assert.equal((await page.content()).includes(key), false, "only a hint is shown");
      await press("Disconnect: Google");
      await notice("Google is disconnected.");
      await press("Remove: OpenAI");
      await notice("The key for OpenAI is removed.");
      close();
      await open();
      await page.getByRole("link", { name: "Continue with GitHub" }).click();
      await notice(texts.signedIn);
      await region("Ways to sign in").getByText(texts.onlyWay).waitFor();
      close();
    });

    it("links a provider to an account with a password, whose session survives the way there and back", async () => {
      const w = harness();
      const { email } = await w.signUp();
      w.newGithubPerson();
      await open();
      await logIn(email, PASSWORD);
      await heading("Your account");
      await press("Connect: GitHub");
      await notice("GitHub is connected.");
      await page.getByText(email).waitFor();
      close();
    });

    it("asks a person whose provider's address proves nothing for a code, and is signed in then", async () => {
      const w = harness();
      const email = `hub${w.next()}@example.test`;
      Object.assign(w.newGithubPerson(), { email });
      await open();
      await follow("Continue with Hub");
      await heading(texts.finishTitle);
      await page.getByText(texts.finishLead.replace("{provider}", "Hub")).waitFor();
      await holds("E-mail", email);
      await press("Send code");
      await fill("Code from the e-mail", "00000000");
      await press("Create account");
      await problem(texts.failures.invalid_code);
      await fill("Code from the e-mail", await w.mailbox.codeFor(email));
      await press("Create account");
      await notice("You are signed in.");
      await page.getByText(email).waitFor();
      await page.reload();
      await heading("Your account");
      assert.equal(await w.count("identities", "provider = 'hub'"), 1);
      close();
    });

    it("lists sessions, ends one, and ends all others", async () => {
      const w = harness();
      const { email, access_token } = await w.signUp();
      await w.agent().post("/auth/login", { email, password: PASSWORD });
      await open();
      await logIn(email, PASSWORD);
      const rows = region("Devices").getByRole("listitem");
      await untilEqual(() => rows.count(), 3);
      await region("Devices")
        .getByRole("button", { name: /^Sign out there/ })
        .first()
        .click();
      await notice(texts.sessionEnded);
      await untilEqual(() => rows.count(), 2);
      await press("Sign out all others");
      await notice(texts.othersEnded);
      await untilEqual(() => rows.count(), 1);
      assert.equal((await w.me(access_token)).status, 401);
      await region("Activity").getByText("Device signed out").first().waitFor();
      close();
    });

    it("sets a new password with a mailed code", async () => {
      const w = harness();
      const { email } = await w.signUp();
      await open();
      await fill("E-mail", email);
      await follow("Forgot your password?");
      await heading("Set a new password");
      await holds("E-mail", email);
      await press("Send code");
      await fill("Code from the e-mail", await w.mailbox.codeFor(email));
      await fill("New password", "a brand new password 5");
      await press("Set new password");
      await notice(texts.resetDone);
      await heading("Your account");
      close();
    });

    it("can be used by keyboard alone, names everything, and moves the focus where the page changed", async () => {
      const w = harness();
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
      await page.getByRole("link", { name: "Continue with Hub" }).focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type(email);
      await page.keyboard.press("Tab");
      await page.locator(":focus", { hasText: "Forgot your password?" }).waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.type(PASSWORD);
      await page.keyboard.press("Enter");
      await heading("Your account");
      await page.locator("#account-title:focus").waitFor();
      close();
    });

    it("says that a provider is connected where it is, whatever the address says", async () => {
      const w = harness();
      const { email } = await w.signUp();
      await open();
      await logIn(email, PASSWORD);
      await heading("Your account");
      for (const claimed of ["Your bank", "github"]) {
        await page.goto(`${w.signin.baseUrl}/?connected=${encodeURIComponent(claimed)}`);
        await region("Activity").getByText("Signed in (password)").first().waitFor();
        await heading("Your account");
        await untilEqual(() => page.locator("#notice").textContent(), "", claimed);
      }
      close();
    });

    it("keeps to its content policy: no inline script or style, nothing from elsewhere, no HTML from data", async () => {
      const w = harness();
      const answers = await Promise.all(
        ["/", "/page/style.css", "/page/script.js", "/page/icon.svg"].map((path) =>
          w.agent().get(path),
        ),
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
    });
  });
}
