import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { LANGUAGES, type Language } from "../../signin/texts/languages.ts";
import { TEXTS } from "../../signin/texts/texts.ts";
import { axeFaults, RULES_OF_COLOURS } from "../support/browser/axe.ts";
import { NO_CHROMIUM } from "../support/browser/chromium.ts";
import { sharedSigninPage } from "../support/browser/signin.ts";
import { isLongRun } from "../support/repeats.ts";
import { nodeRuntime } from "../support/signin/runtimes.ts";
import { walkPage } from "./signin/page-walk.ts";

const texts = TEXTS.en.page;

// That with the longest words; the rest differ in no element, and axe finds no fault of words.
const WALKED: readonly Language[] = isLongRun ? LANGUAGES : ["de"];
const WITH_AXE: readonly Language[] = ["de", "ja"];
// The last one stays for the larger text.
const WIDTHS = [1280, 768, 320];

describe("every view of the page", { skip: NO_CHROMIUM }, () => {
  const signin = sharedSigninPage(nodeRuntime, {
    APP_NAME: "Zentralverwaltung der Modellbahnfreunde",
  });

  for (const language of WALKED) {
    const also = WITH_AXE.includes(language) ? ", and axe finds nothing, light and dark" : "";
    it(`is whole in ${language} from 320 px on and with text of 200 %${also}`, async () => {
      const context = await signin.browser.newContext({ locale: language, bypassCSP: true });
      const page = await context.newPage();
      const hosts = new Set<string>();
      page.on("request", (request) => hosts.add(new URL(request.url()).host));
      await walkPage(page, signin, async (view) => {
        await page.locator(`html[lang="${language}"]`).waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 300 });
          assert.deepEqual(await findCutTexts(page), [], `${view}, ${width} px`);
        }
        await setTextSize(page, "200%");
        assert.deepEqual(await findCutTexts(page), [], `${view}, 320 px, 200 %`);
        for (const colorScheme of also ? (["light", "dark"] as const) : []) {
          await page.emulateMedia({ colorScheme });
          const only = colorScheme === "dark" ? RULES_OF_COLOURS : undefined;
          assert.deepEqual(await axeFaults(page, { only }), [], `${view}, ${colorScheme}`);
        }
        await setTextSize(page, "");
      });
      assert.deepEqual([...hosts], [new URL(signin.address).host], "no request goes elsewhere");
      await context.close();
    });
  }

  it("can be reached by keyboard alone, from the first visit to the account and back", async () => {
    const context = await signin.browser.newContext({ locale: "en" });
    const page = await context.newPage();
    await page.goto(signin.address);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { keyboard } = page;
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await keyboard.press("Tab");
        const label = await page.evaluate(() => {
          const focused = document.activeElement;
          const labels = focused instanceof HTMLInputElement ? focused.labels : null;
          return labels?.[0]?.textContent ?? focused?.textContent;
        });
        if (label === name) return;
      }
      assert.fail(`There is no way to ${name}.`);
    };
    const email = `keys${signin.harness.next()}@example.test`;
    await tabTo("Create an account");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Create an account" }).waitFor();
    await tabTo("E-mail");
    await keyboard.type(email);
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
    await page.locator(":focus", { hasText: "Check your e-mail" }).waitFor();
    await tabTo("Code from the e-mail");
    await keyboard.type(await signin.harness.mailbox.codeFor(email));
    await tabTo("New password");
    await keyboard.type("typed with ten fingers");
    await keyboard.press("Enter");
    await page.getByRole("heading", { name: "Your account" }).waitFor();
    await tabTo("Sign out");
    await keyboard.press("Enter");
    await page.getByRole("status").getByText(texts.signedOut).waitFor();
    await tabTo("E-mail");
    await keyboard.press("ControlOrMeta+A");
    await keyboard.type(email);
    await tabTo("Password");
    await keyboard.type("typed with ten fingers");
    await keyboard.press("Enter");
    await page.getByRole("status").getByText(texts.signedIn).waitFor();
    await context.close();
  });

  it("has the providers and a sentence where there is no JavaScript", async () => {
    const context = await signin.browser.newContext({ locale: "de", javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(signin.address);
    const note = page.locator("noscript .note");
    await note.filter({ hasText: /^Alles Weitere braucht JavaScript/ }).waitFor();
    // No form that cannot be sent.
    await page.locator("form").waitFor({ state: "detached" });
    signin.harness.newOidcPerson();
    await page.getByRole("link", { name: "Weiter mit Google" }).click();
    await page.waitForURL(/auth=success/);
    await context.close();
  });
});

function setTextSize(page: Page, size: string): Promise<void> {
  return page.evaluate((size) => {
    document.documentElement.style.fontSize = size;
  }, size);
}

/** Elements whose content is wider than they are, and text outside the window. */
function findCutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const cut = scrollWidth > clientWidth ? [`the page: ${scrollWidth} of ${clientWidth}`] : [];
    for (const element of document.querySelectorAll<HTMLElement>("#frame *, #toast *")) {
      if (element instanceof HTMLInputElement || element.clientWidth === 0) continue;
      const { left, right } = element.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth + 1;
      if (isCut || left < 0 || right > clientWidth + 1) cut.push(element.outerHTML.slice(0, 200));
    }
    return cut;
  });
}
