import { after, before } from "node:test";
import type { Browser, Page } from "playwright-core";
import { freePort } from "../fake-server.ts";
import { PASSWORD, SigninHarness } from "../signin/harness.ts";
import type { SigninRuntime, Variables } from "../signin/runtimes.ts";
import { sharedBrowser } from "./shared.ts";

/** A browser, and a server under an address for which it has passkeys. */
interface SharedSigninPage {
  readonly browser: Browser;
  readonly harness: SigninHarness;
  readonly address: string;
}

/** Opens both for all tests of a suite. Browsers have passkeys for localhost, and none for an IP address. */
export function sharedSigninPage(
  runtime: SigninRuntime,
  variables: Variables = {},
): SharedSigninPage {
  const opened = {} as { browser: Browser; harness: SigninHarness; address: string };
  before(async () => {
    opened.browser = await sharedBrowser();
    const port = await freePort();
    opened.address = `http://localhost:${port}`;
    opened.harness = await SigninHarness.open(runtime, {
      SIGNIN_PORT: String(port),
      APP_BASE_URL: opened.address,
      TRUSTED_HOSTS: `127.0.0.1:${port}`,
      ...variables,
    });
  });
  after(() => opened.harness?.[Symbol.asyncDispose]());
  return opened;
}

/** Keeps the e-mail field from offering passkeys: else the virtual authenticator signs in by itself. */
export async function withoutOffers(page: Page): Promise<void> {
  await page.addInitScript(
    "PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);",
  );
}

/** Chromium's virtual authenticator, which verifies its user. */
export async function addAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable", { enableUI: false });
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    credentials: async () =>
      (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
    /** Back to what it was when it was added. */
    async forget() {
      await cdp.send("WebAuthn.clearCredentials", { authenticatorId });
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    },
    verifyUser: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}

/** Makes an account on the page, by the code that is mailed. */
export async function signUpOnPage(
  page: Page,
  { mailbox }: Pick<SigninHarness, "mailbox">,
  email: string,
): Promise<void> {
  await page.getByRole("link", { name: "Create an account" }).click();
  await page.getByLabel("E-mail", { exact: true }).fill(email);
  await page.getByRole("button", { name: "Send code" }).click();
  await page.getByLabel("Code from the e-mail").fill(await mailbox.codeFor(email));
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Your account" }).waitFor();
}

/** What a person does and reads on the page, or in a part of it. */
export function stepsOf(page: Page, scope: Pick<Page, "getByRole"> = page) {
  return {
    press: (name: string) => scope.getByRole("button", { name, exact: true }).click(),
    notice: (text: string | RegExp) => page.getByRole("status").getByText(text).waitFor(),
    problem: (text: string | RegExp) => scope.getByRole("alert").getByText(text).waitFor(),
  };
}

/** Opens the page as another person at the same browser does, which has kept nothing. */
export async function openAnew(page: Page, base: string, address: string): Promise<void> {
  const context = page.context();
  await page.unrouteAll();
  await context.setExtraHTTPHeaders({ "X-Forwarded-For": address });
  await page.goto(`${base}/health`);
  await page.evaluate(() => sessionStorage.clear());
  await context.clearCookies();
  await page.goto(`${base}/`);
}
