import type { Page } from "playwright-core";
import { addAuthenticator, withoutOffers } from "../../support/browser/signin.ts";
import { PASSWORD, type SigninHarness } from "../../support/signin/harness.ts";
import { authenticatorApp } from "../../support/signin/second-factor.ts";
import { machineTimeSec } from "../../support/time.ts";

const PRIMARY = "#view form .primary";

/** A key as a provider would have it; the page must not show it. */
const API_KEY = "sk-canary-walk-0123456789abcdef-WXYZ";

type Look = (view: string) => Promise<void>;

/** A server, and the address under which browsers have passkeys. */
interface Place {
  harness: SigninHarness;
  address: string;
}

/**
 * Goes through every view of the page in any language, from the sign-in over a new account to the failure page, and calls `look`
 * at each one. It finds elements by what does not change with the language.
 */
export async function walkPage(page: Page, { harness, address }: Place, look: Look): Promise<void> {
  harness.secrets.add(API_KEY);
  await withoutOffers(page);
  await addAuthenticator(page);
  await page.goto(address);
  await page.locator(PRIMARY).waitFor();
  await look("sign-in");
  await page.locator("input[name=email]").fill("no address");
  await page.locator(PRIMARY).click();
  await page.locator("[aria-invalid]").first().waitFor();
  await look("sign-in with faults");
  await page.locator('a[href="#reset"]').click();
  await page.locator("input[name=password]").waitFor({ state: "detached" });
  await look("reset");
  await page.goto(`${address}/#code`);
  await page.locator('input[autocomplete="email"]').waitFor();
  await look("sign-in by code");
  const email = await signUp(page, { harness, address }, look);
  await visitAccount(page, harness, look);
  await page.locator("input[name=email]").fill(email);
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator(PRIMARY).click();
  await page.locator("input[name=second_factor]").waitFor();
  await look("second factor");
  await page.goto(`${address}/auth/google/callback?state=none`);
  await look("failed callback");
}

async function signUp(page: Page, { harness, address }: Place, look: Look): Promise<string> {
  const email = `walk${harness.next()}@example.test`;
  await page.goto(`${address}/#sign-up`);
  await page.locator(PRIMARY).waitFor();
  await look("sign-up");
  await page.locator("input[name=email]").fill(email);
  await page.locator(PRIMARY).click();
  await page.locator("input[name=code]").fill("1234 5678");
  await page.locator("input[name=password]").fill("password123");
  await page.locator('.hint[data-step="3"]').waitFor();
  await look("code with a common password");
  await page.locator("input[name=password]").fill(PASSWORD);
  await page.locator('.hint[data-step="4"]').waitFor();
  await page.locator(PRIMARY).click();
  await page.locator("input[name=code][aria-invalid]").waitFor();
  await look("code that is wrong");
  await page.locator("input[name=code]").fill(await harness.mailbox.codeFor(email));
  await page.locator("input[name=display_name]").fill("Augusta Ada King, Countess of Lovelace");
  await page.locator(PRIMARY).click();
  await page.locator("#account-title").waitFor();
  await look("new account");
  await harness.agent().post("/auth/login", { email, password: PASSWORD });
  return email;
}

async function switchFactorOn(page: Page): Promise<void> {
  const key = await page.locator("#factor .foot-row code").textContent();
  const app = authenticatorApp(key?.replaceAll(" ", "") ?? "");
  await page.locator("#factor input").fill(app.codeAt(machineTimeSec() * 1000));
  await page.locator("#factor form .filled").click();
  await page.locator("#factor .codes").waitFor();
}

/** An account that has something in each section, with every form open. */
async function visitAccount(page: Page, harness: SigninHarness, look: Look): Promise<void> {
  const notice = (words: string | RegExp) => page.locator("#notice", { hasText: words }).waitFor();
  await page.locator("#ways .row:last-child button").click();
  await page.locator("#ways .row:nth-child(5)").waitFor();
  await page.locator("#keys .row:first-child button").click();
  await page.locator("#keys input").fill(API_KEY);
  await page.locator("#keys form .filled").click();
  await notice("OpenAI");
  for (const row of [
    "#profile .row:first-child",
    "#ways .row:first-child",
    "#keys .row:last-child",
  ]) {
    await page.locator(`${row} .row-actions button`).click();
  }
  await page.locator("#ways .row:nth-child(4) .row-actions button").first().click();
  await page.locator("#data .row:last-child .row-actions button").click();
  await page.locator("#factor .row-actions button").click();
  await page.locator("#factor .qr").waitFor();
  await look("account");
  await switchFactorOn(page);
  await look("account with recovery codes");
  await page.locator("#factor .filled").click();
  // The account is shown anew: what was opened before that is closed.
  await notice(/./);
  await page.locator("#factor .row-actions button:last-child").click();
  await page.locator("#profile .row:last-child .row-actions button").click();
  await page.locator("#profile input[name=email]").fill(`new${harness.next()}@example.test`);
  await page.locator("#profile .row:last-child form .filled").click();
  await page.locator("#profile input[name=code]").waitFor();
  await look("account with a new address");
  await page.locator(".head button").click();
  await page.locator(PRIMARY).waitFor();
  await look("logged out");
}
