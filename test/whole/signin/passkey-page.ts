import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { freePort } from "../../support/http/fake-server.ts";
import { launchChromium, NO_CHROMIUM } from "../../support/processes/chromium.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { PASSWORD, SigninWorld } from "../../support/signin/world.ts";

// As a browser that has no conditional mediation.
const WITHOUT_OFFERS =
  "PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);";

/** Passkeys on the page, with Chromium's virtual authenticator. Browsers have none for an IP address: the host is localhost. */
export function passkeyPageTests(runtime: SigninRuntime): void {
  describe("passkeys on the page", { skip: NO_CHROMIUM }, () => {
    let browser: Browser;
    let world: SigninWorld;
    let address: string;
    before(async () => {
      browser = await launchChromium();
      const port = await freePort();
      address = `http://localhost:${port}`;
      world = await SigninWorld.open(runtime, {
        SIGNIN_PORT: String(port),
        APP_BASE_URL: address,
        TRUSTED_HOSTS: `127.0.0.1:${port}`,
      });
    });
    after(async () => {
      await browser?.close();
      await world?.[Symbol.asyncDispose]();
    });

    // Where the field offers passkeys, the virtual authenticator chooses one by itself, before any button can be pressed.
    const open = async ({ fieldOffers = false } = {}) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      if (!fieldOffers) await page.addInitScript(WITHOUT_OFFERS);
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
      const authenticator = await addAuthenticator(await context.newCDPSession(page));
      await page.goto(address);
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
      await page.getByLabel("Code from the e-mail").fill(await world.mailbox.codeFor(email));
      await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
      await page.getByRole("button", { name: "Create the account" }).click();
      await page.getByRole("heading", { name: "Your account" }).waitFor();
    };

    const countSignIns = () =>
      world.count("audit_events", "type = 'login.success' AND detail_json LIKE '%passkey%'");

    it("signs up, adds a passkey, renames it, signs out, signs in by it, and removes it", async () => {
      await using opened = await open();
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      const email = `passkey${world.next()}@example.test`;
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
      await signUp(page, `passkey${world.next()}@example.test`);
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
      await signUp(page, `passkey${world.next()}@example.test`);
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

async function addAuthenticator(cdp: CDPSession) {
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
    verifyUser: (isUserVerified: boolean) =>
      cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}
