import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { NO_CHROMIUM } from "../../support/browser/chromium.ts";
import { sharedSigninPage, signUpOnPage, stepsOf } from "../../support/browser/signin.ts";
import { PASSWORD } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { authenticatorApp, wrongCode } from "../../support/signin/second-factor.ts";
import { machineTimeSec } from "../../support/time.ts";

const texts = TEXTS.en.page;

/** The second factor on the page. */
export function factorPageTests(runtime: SigninRuntime): void {
  describe("the second factor on the page", { skip: NO_CHROMIUM }, () => {
    const signin = sharedSigninPage(runtime);

    it("is set up, asked for at each sign-in, taken as a fresh proof, and switched off", async () => {
      const context = await signin.browser.newContext({ acceptDownloads: true });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
      const { harness } = signin;
      const email = `factor${harness.next()}@example.test`;
      const steps = stepsOf(page);
      await page.goto(signin.address);
      await signUpOnPage(page, harness, email);

      await steps.press(texts.factorSetUp);
      const secret = (await page.locator("#factor code").textContent())?.replaceAll(" ", "") ?? "";
      const app = authenticatorApp(secret);
      await page.getByRole("img", { name: texts.factorImage }).waitFor();
      // A code of the next step is good, too, so that the one of now is left for the next sign-in.
      const code = (steps = 0) => app.codeAt((machineTimeSec() + steps * 30) * 1000);
      const field = page.getByLabel(texts.factorCode);
      await field.fill(wrongCode(code(-1), code(), code(1), code(2)));
      await steps.press(texts.factorEnable);
      await steps.problem(texts.failures.invalid_second_factor);
      await field.fill(code());
      await steps.press(texts.factorEnable);
      await page.getByText(texts.recoveryLead).waitFor();
      const codes = await page.locator("#factor .codes code").allTextContents();
      assert.equal(codes.length, 10);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("#factor").getByRole("button", { name: texts.download, exact: true }).click(),
      ]);
      assert.equal(await readAll(await download.createReadStream()), `${codes.join("\n")}\n`);
      await steps.press(texts.recoveryStored);
      await steps.notice(texts.factorEnabled);
      await page.getByText("Recovery codes left: 10").waitFor();

      // Codes of earlier steps are good again, as if some minutes had passed.
      const forgetSteps = () =>
        harness.signin.sql("UPDATE second_factors SET last_step = 0 RETURNING user_id");
      const enterFactor = async (given: string) => {
        await page.getByLabel(texts.factorField).fill(given);
        await steps.press("Sign in");
      };
      const leave = async () => {
        await steps.press("Sign out");
        await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
        await forgetSteps();
      };
      await leave();
      await page.getByLabel("E-mail", { exact: true }).fill(email);
      await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await steps.press("Sign in");
      await page.getByRole("heading", { name: texts.factorTitle }).waitFor();
      await enterFactor("12");
      await steps.problem(texts.needFactor);
      await enterFactor(wrongCode(code(-1), code(), code(1), code(2)));
      await steps.problem(texts.failures.second_factor_rejected);
      await enterFactor(code());
      await steps.notice(texts.signedIn);

      await leave();
      await page.getByRole("link", { name: texts.withCode }).click();
      await signInByMail(page, email);
      await enterFactor(codes[0] ?? "");
      await steps.notice(texts.signedIn);
      await page.getByText("Recovery codes left: 9").waitFor();

      await harness.signin.sql("UPDATE sessions SET proven_at = 1 RETURNING id");
      await steps.press(texts.factorDisable);
      await page.locator("form").getByRole("button", { name: texts.factorDisable }).click();
      const dialog = page.getByRole("dialog", { name: texts.prove });
      await dialog.getByLabel(texts.factorField).fill(code());
      await dialog.getByLabel("Password", { exact: true }).waitFor({ state: "detached" });
      await stepsOf(page, dialog).press(texts.confirm);
      await steps.notice(texts.factorDisabled);
      await page.getByRole("button", { name: texts.factorSetUp }).waitFor();
      await context.close();
      assert.deepEqual(complaints, []);
    });

    it("is asked for on the page, for a provider that was connected without a recent confirmation", async () => {
      const context = await signin.browser.newContext();
      const page = await context.newPage();
      const { harness } = signin;
      const steps = stepsOf(page);
      const setProven = (time: number) =>
        harness.signin.sql(`UPDATE sessions SET proven_at = ${time} RETURNING id`);
      await page.goto(signin.address);
      await signUpOnPage(page, harness, `factor${harness.next()}@example.test`);
      await setProven(1);
      harness.newOidcPerson();
      await steps.press("Connect: Google");
      await page.getByText(texts.unconfirmed).waitFor();
      await setProven(machineTimeSec());
      await steps.press(texts.factorSetUp);
      const key = await page.locator("#factor code").textContent();
      const app = authenticatorApp(key?.replaceAll(" ", "") ?? "");
      const code = (steps = 0) => app.codeAt((machineTimeSec() + steps * 30) * 1000);
      await page.getByLabel(texts.factorCode).fill(code());
      await steps.press(texts.factorEnable);
      await steps.press(texts.recoveryStored);
      await steps.notice(texts.factorEnabled);
      await steps.press("Sign out");
      await harness.signin.sql("UPDATE second_factors SET last_step = 0 RETURNING user_id");

      await page.getByRole("link", { name: "Continue with Google" }).click();
      await page.getByRole("heading", { name: texts.factorTitle }).waitFor();
      await page.getByLabel(texts.factorField).fill(wrongCode(code(-1), code(), code(1), code(2)));
      await steps.press("Sign in");
      await steps.problem(texts.failures.second_factor_rejected);
      await page.getByLabel(texts.factorField).fill(code());
      await steps.press("Sign in");
      await steps.notice(texts.signedIn);
      await page.getByText(texts.unconfirmed).waitFor();
      await context.close();
    });

    async function signInByMail(page: Page, email: string): Promise<void> {
      const steps = stepsOf(page);
      await page.getByLabel("E-mail", { exact: true }).fill(email);
      await steps.press("Send code");
      await page
        .getByLabel("Code from the e-mail")
        .fill(await signin.harness.mailbox.codeFor(email));
      await steps.press("Sign in");
      await page.getByRole("heading", { name: texts.factorTitle }).waitFor();
    }
  });
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts).toString();
}
