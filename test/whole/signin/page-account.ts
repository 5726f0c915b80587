import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { NO_CHROMIUM } from "../../support/browser/chromium.ts";
import { sharedBrowser } from "../../support/browser/shared.ts";
import { openAnew } from "../../support/browser/signin.ts";
import { PASSWORD, type SigninHarness } from "../../support/signin/harness.ts";
import { until, untilEqual } from "../../support/time.ts";

const texts = TEXTS.en.page;

/** An account on the page: sign-in by code, changes, export and deletion. */
export function pageAccountTests(harness: () => SigninHarness): void {
  describe("the account on the page", { skip: NO_CHROMIUM }, () => {
    let page: Page;
    before(async () => {
      const browser = await sharedBrowser();
      page = await browser.newPage();
    });
    after(() => page?.close());

    const open = async () => {
      const w = harness();
      await openAnew(page, w.signin.baseUrl, w.agent().address);
      const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
      const fill = (label: string, text: string) =>
        page.getByLabel(label, { exact: true }).fill(text);
      return {
        page,
        press,
        fill,
        notice: (text: string) => page.getByRole("status").getByText(text).waitFor(),
        problem: (text: string | RegExp) => page.getByRole("alert").getByText(text).waitFor(),
        async logIn(email: string, password = PASSWORD) {
          await fill("E-mail", email);
          await fill("Password", password);
          await press("Sign in");
          await page.getByRole("heading", { name: "Your account" }).waitFor();
        },
      };
    };

    it("is entered with a mailed code", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const opened = await open();
      const { page, press, fill, notice, problem } = opened;
      await fill("E-mail", email);
      await page.getByRole("link", { name: "Sign in with a mailed code" }).click();
      await press("Send code");
      await fill("Code from the e-mail", "0000 0000");
      await press("Sign in");
      await problem(texts.failures.invalid_code);
      await page.getByRole("button", { name: /^Send it again in/, disabled: true }).waitFor();
      await fill("Code from the e-mail", await w.mailbox.codeFor(email));
      await press("Sign in");
      await notice(texts.signedIn);
      const activity = page.getByRole("region", { name: "Activity" });
      await activity.getByText("mailed code").first().waitFor();
      // A narrow line breaks before the network, not within.
      const note = activity.locator(".row-note").first();
      await until("The note", async () =>
        / · Network\u00a0\S+$/.test((await note.textContent()) ?? ""),
      );
    });

    it("gets another name, password and address, each confirmed as the server wants it", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const opened = await open();
      const { page, press, fill, notice, problem, logIn } = opened;
      await logIn(email);
      await press("Change name");
      await fill("Name (optional)", "Grace Hopper");
      await press("Save");
      await notice(texts.nameSaved);
      await page.getByText("Grace Hopper", { exact: true }).waitFor();

      await press("Change password");
      await fill("Current password", "not the password");
      await fill("New password", "password123");
      await press("Save");
      await problem(texts.ruleCommon);
      await fill("New password", "a better password 7");
      await press("Save");
      await problem(texts.failures.invalid_password);
      await fill("Current password", PASSWORD);
      await press("Save");
      await notice(texts.passwordSaved);

      const address = `moved${w.next()}@example.test`;
      await press("Change address");
      await fill("New e-mail address", address);
      await press("Send code");
      await fill("Code from the e-mail", await w.mailbox.codeFor(address));
      await page.locator("form").getByRole("button", { name: "Change address" }).click();
      await notice(texts.emailSaved);
      await page.getByText(address, { exact: true }).waitFor();
      await press("Sign out");
      await notice(texts.signedOut);
      await logIn(address, "a better password 7");
    });

    it("moves the focus into what opens, back to its button, and to the heading if the button is gone", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const opened = await open();
      const { page, press, fill, notice, problem, logIn } = opened;
      const focused = (expected: string) =>
        page.waitForFunction((wanted) => {
          const element = document.activeElement;
          const name = element?.getAttribute("name") ?? element?.getAttribute("aria-label");
          return (name ?? element?.textContent) === wanted;
        }, expected);
      await logIn(email);
      await press("Change name");
      await focused("display_name");
      await press("Cancel");
      await focused("Change name");

      await press("Change password");
      await press("Save");
      await page.locator("[aria-invalid]").first().waitFor();
      await focused("current_password");
      await fill("Current password", "not the password");
      await fill("New password", "a better password 7");
      await press("Save");
      await problem(texts.failures.invalid_password);
      await focused("current_password");
      const selected =
        "document.activeElement.selectionEnd - document.activeElement.selectionStart";
      await untilEqual(() => page.evaluate(selected), "not the password".length);

      await page.getByRole("button", { name: /^Sign out there/ }).click();
      await notice(texts.sessionEnded);
      await focused("Devices");
    });

    it("keeps what is typed in a form while another one is sent, which then closes", async () => {
      const { email } = await harness().signUp();
      const opened = await open();
      const { page, press, fill, notice, logIn } = opened;
      await logIn(email);
      await press("Change password");
      await fill("New password", "a better password 7");
      await press("Change name");
      const name = page.getByLabel("Name (optional)");
      await name.fill("Grace Hopper");
      await name.press("Enter");
      await notice(texts.nameSaved);
      await page.getByText("Grace Hopper", { exact: true }).waitFor();
      await name.waitFor({ state: "detached" });
      await page.locator(":focus[aria-label='Change name']").waitFor();
      await untilEqual(
        () => page.getByLabel("New password", { exact: true }).inputValue(),
        "a better password 7",
      );
    });

    it("is taken along as a file, and deleted with its password", async () => {
      const w = harness();
      const { email } = await w.signUp();
      const opened = await open();
      const { page, press, fill, notice, problem, logIn } = opened;
      await logIn(email);
      const saved = page.waitForEvent("download");
      await press("Download your data");
      const file = await (await saved).path();
      const data = JSON.parse(await readFile(file, "utf8"));
      assert.equal(data.profile.email, email);

      await press("Delete account");
      await fill("Password", "not the password");
      const confirm = page.locator("form").getByRole("button", { name: "Delete account" });
      await confirm.click();
      await problem(texts.failures.invalid_password);
      await fill("Password", PASSWORD);
      await confirm.click();
      await notice(texts.deleted);
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      assert.equal(await w.count("users", "email = ?", [email]), 0);
    });
  });
}
