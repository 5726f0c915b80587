import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { NO_CHROMIUM } from "../../support/browser/chromium.ts";
import { addAuthenticator, sharedSigninPage, withoutOffers } from "../../support/browser/signin.ts";
import { PASSWORD } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";

/** Passkeys on the page, with Chromium's virtual authenticator. */
export function passkeyPageTests(runtime: SigninRuntime): void {
  describe("passkeys on the page", { skip: NO_CHROMIUM }, () => {
    const signin = sharedSigninPage(runtime);

    // Where the field offers passkeys, the virtual authenticator chooses one by itself, before any button can be pressed.
    const open = async ({ fieldOffers = false } = {}) => {
      const context = await signin.browser.newContext();
      const page = await context.newPage();
      if (!fieldOffers) await withoutOffers(page);
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
      const authenticator = await addAuthenticator(page);
      await page.goto(signin.address);
      return {
        page,
        authenticator,
        async [Symbol.asyncDispose]() {
          await context.close();
          assert.deepEqual(complaints, []);
        },
      };
    };

    const signUp = async (page: Page, email: string) => {
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.getByLabel("E-mail", { exact: true }).fill(email);
      await page.getByRole("button", { name: "Send a code" }).click();
      await page
        .getByLabel("Code from the e-mail")
        .fill(await signin.harness.mailbox.codeFor(email));
      await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();
    };

    const countSignIns = () =>
      signin.harness.count(
        "audit_events",
        "type = 'login.success' AND detail_json LIKE '%passkey%'",
      );

    it("signs up, adds a passkey, renames it, signs out, signs in by it, and removes it", async () => {
      await using opened = await open();
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      const email = `passkey${signin.harness.next()}@example.test`;
      await signUp(page, email);
      await steps.press("Add a passkey");
      await steps.notice("The passkey is added.");
      assert.equal((await authenticator.credentials()).length, 1);
      await steps.press("Rename: Passkey");
      await page.getByLabel("Name of the passkey").fill("My laptop");
      await steps.press("Save");
      await steps.notice("The passkey is renamed.");
      await page.getByText("My laptop", { exact: true }).waitFor();
      await steps.press("Add a passkey");
      await steps.problem("This device has a passkey of your account already.");

      await steps.press("Log out");
      await steps.notice("You are logged out.");
      await steps.press("Sign in with a passkey");
      await steps.notice("You are signed in.");
      await page.getByText(email, { exact: true }).waitFor();
      await page
        .getByText(/last used/)
        .first()
        .waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Your account" }).waitFor();

      await page.getByRole("button", { name: "Remove: My laptop" }).click();
      await page.getByText(/^Remove this passkey\?/).waitFor();
      await steps.press("Cancel");
      await page.getByRole("button", { name: "Remove: My laptop" }).click();
      await page.locator("form").getByRole("button", { name: "Remove", exact: true }).click();
      await steps.notice(/^The passkey is removed/);
      assert.equal(await page.getByRole("button", { name: /^Rename: / }).count(), 0);
      await steps.press("Log out");
      await steps.notice("You are logged out.");
      await steps.press("Sign in with a passkey");
      await steps.problem(/^This passkey cannot sign in/);
    });

    it("offers passkeys on the e-mail field: one that is chosen there signs in", async () => {
      await using opened = await open({ fieldOffers: true });
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      await signUp(page, `passkey${signin.harness.next()}@example.test`);
      await steps.press("Add a passkey");
      await steps.notice("The passkey is added.");
      const before = await countSignIns();
      await steps.press("Log out");
      // The virtual authenticator chooses the passkey as soon as the field offers it.
      await page.getByRole("heading", { name: "Your account" }).waitFor();
      await steps.notice("You are signed in.");
      assert.equal((await authenticator.credentials())[0]?.rpId, "localhost");
      assert.equal(await countSignIns(), before + 1);
    });

    it("says so where the user is not verified, and stays signed out", async () => {
      await using opened = await open();
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      await signUp(page, `passkey${signin.harness.next()}@example.test`);
      await steps.press("Add a passkey");
      await steps.notice("The passkey is added.");
      await authenticator.verifyUser(false);
      await steps.press("Log out");
      await steps.press("Sign in with a passkey");
      await steps.problem("No passkey was used. Try again, or choose another way.");
      await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    });
  });
}

function stepsOf(page: Page) {
  return {
    press: (name: string) => page.getByRole("button", { name, exact: true }).click(),
    notice: (text: string | RegExp) => page.getByRole("status").getByText(text).waitFor(),
    problem: (text: string | RegExp) => page.getByRole("alert").getByText(text).waitFor(),
  };
}
