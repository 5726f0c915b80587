import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { RATE_LIMITS } from "../../../signin/limits.ts";
import { TEXTS } from "../../../signin/texts/texts.ts";
import { NO_CHROMIUM } from "../../support/browser/chromium.ts";
import {
  addAuthenticator,
  openAnew,
  sharedSigninPage,
  signUpOnPage,
  stepsOf,
  withoutOffers,
} from "../../support/browser/signin.ts";
import { PASSWORD } from "../../support/signin/harness.ts";
import type { SigninRuntime } from "../../support/signin/runtimes.ts";
import { untilEqual } from "../../support/time.ts";

const texts = TEXTS.en.page;

/** Passkeys on the page, with Chromium's virtual authenticator. */
export function passkeyPageTests(runtime: SigninRuntime): void {
  describe("passkeys on the page", { skip: NO_CHROMIUM }, () => {
    const signin = sharedSigninPage(runtime);

    let complaints: string[] = [];
    const newPage = async () => {
      const page = await signin.browser.newPage();
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isRefusedCall = message.text().startsWith("Failed to load resource");
        if (message.type() === "error" && !isRefusedCall) complaints.push(message.text());
      });
      return { page, authenticator: await addAuthenticator(page) };
    };

    // Where the field offers passkeys, the virtual authenticator chooses one by itself, before any button can be pressed.
    let shared: Awaited<ReturnType<typeof newPage>>;
    before(async () => {
      shared = await newPage();
      await withoutOffers(shared.page);
    });
    after(() => shared?.page.close());

    const open = async (
      { page, authenticator } = shared,
      from = signin.harness.agent().address,
    ) => {
      complaints = [];
      await authenticator.forget();
      await openAnew(page, signin.address, from);
      return {
        page,
        authenticator,
        [Symbol.asyncDispose]: async () => assert.deepEqual(complaints, []),
      };
    };

    const signUp = (page: Page, email: string) => signUpOnPage(page, signin.harness, email);

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
      await steps.notice(texts.passkeyAdded);
      assert.equal((await authenticator.credentials()).length, 1);
      await steps.press("Rename: Passkey");
      await page.getByLabel("Passkey name").fill("My laptop");
      await steps.press("Save");
      await steps.notice(texts.passkeyRenamed);
      await page.getByText("My laptop", { exact: true }).waitFor();
      await steps.press("Add a passkey");
      await steps.problem(texts.passkeyHere);

      await steps.press("Sign out");
      await steps.notice(texts.signedOut);
      await steps.press("Sign in with a passkey");
      await steps.notice(texts.signedIn);
      await page.getByText(email, { exact: true }).waitFor();
      await page
        .getByText(/last used/)
        .first()
        .waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Your account" }).waitFor();

      await page.getByRole("button", { name: "Remove: My laptop" }).click();
      await page.getByText(texts.removePasskey).waitFor();
      await steps.press("Cancel");
      await page.getByRole("button", { name: "Remove: My laptop" }).click();
      await page.locator("form").getByRole("button", { name: "Remove", exact: true }).click();
      await steps.notice(texts.passkeyRemoved);
      await page.getByRole("button", { name: /^Rename: / }).waitFor({ state: "detached" });
      await steps.press("Sign out");
      await steps.notice(texts.signedOut);
      await steps.press("Sign in with a passkey");
      await steps.problem(texts.failures.passkey_rejected);
    });

    it("offers passkeys on the e-mail field when it has the focus: one that is chosen there signs in", async () => {
      const withOffers = await newPage();
      await using opened = await open(withOffers);
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      await signUp(page, `passkey${signin.harness.next()}@example.test`);
      await steps.press("Add a passkey");
      await steps.notice(texts.passkeyAdded);
      const before = await countSignIns();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(new URL(request.url()).pathname));
      await steps.press("Sign out");
      await steps.notice(texts.signedOut);
      // What the page asks for by itself is asked for before this.
      await page.evaluate(async () => {
        await PublicKeyCredential.isConditionalMediationAvailable();
        await fetch("/health");
      });
      assert.equal(asked.includes("/auth/passkey/options"), false);
      // The virtual authenticator chooses the passkey as soon as the field offers it.
      await page.getByLabel("E-mail", { exact: true }).focus();
      await steps.notice(texts.signedIn);
      assert.equal((await authenticator.credentials())[0]?.rpId, "localhost");
      // The trail is written after the response.
      await untilEqual(countSignIns, before + 1);
      await page.close();
    });

    it("says so where the user is not verified, and stays signed out", async () => {
      await using opened = await open();
      const { page, authenticator } = opened;
      const steps = stepsOf(page);
      await signUp(page, `passkey${signin.harness.next()}@example.test`);
      await steps.press("Add a passkey");
      await steps.notice(texts.passkeyAdded);
      await authenticator.verifyUser(false);
      await steps.press("Sign out");
      await steps.press("Sign in with a passkey");
      await steps.problem(texts.passkeyNone);
      await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
    });

    describe("of an account whose proof is old", () => {
      // The refresh at a reload keeps the time of the proof.
      const makeOld = () =>
        signin.harness.signin.sql("UPDATE sessions SET proven_at = 1 RETURNING id");
      const signUpLongAgo = async (page: Page) => {
        const email = `passkey${signin.harness.next()}@example.test`;
        await signUp(page, email);
        await makeOld();
        const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
        return { email, dialog, steps: stepsOf(page), inDialog: stepsOf(page, dialog) };
      };

      it("ask for the password before the address changes, and go on where they were", async () => {
        await using opened = await open();
        const { page } = opened;
        const { dialog, steps, inDialog } = await signUpLongAgo(page);
        const address = `moved${signin.harness.next()}@example.test`;
        const askForCode = async () => {
          await page.getByLabel("New e-mail address").fill(address);
          await steps.press("Send code");
          await dialog.waitFor();
        };
        await steps.press("Change address");
        await askForCode();
        await inDialog.press("Cancel");
        await steps.problem(texts.failures.reauthentication_required);
        assert.equal(
          signin.harness.mailbox.mails.some(({ to }) => to === address),
          false,
        );

        await askForCode();
        const password = dialog.getByLabel("Password", { exact: true });
        await password.fill("not the password");
        await inDialog.press("Confirm");
        await inDialog.problem(texts.failures.invalid_password);
        await password.fill(PASSWORD);
        await inDialog.press("Confirm");
        await dialog.waitFor({ state: "detached" });
        await page
          .getByLabel("Code from the e-mail")
          .fill(await signin.harness.mailbox.codeFor(address));
        await page.locator("form").getByRole("button", { name: "Change address" }).click();
        await steps.notice(texts.emailSaved);
      });

      it("take a mailed code or a passkey before a passkey is added or removed", async () => {
        await using opened = await open();
        const { page, authenticator } = opened;
        const { email, dialog, steps, inDialog } = await signUpLongAgo(page);
        await steps.press("Add a passkey");
        await inDialog.press(`Mail a code to ${email}`);
        const field = dialog.getByLabel("Code from the e-mail");
        const code = await signin.harness.mailbox.codeFor(email);
        await field.pressSequentially(`${code.slice(0, 4)} ${code.slice(4)}99`);
        await untilEqual(() => field.inputValue(), `${code.slice(0, 4)} ${code.slice(4)}`);
        await inDialog.press("Confirm");
        await steps.notice(texts.passkeyAdded);
        assert.equal((await authenticator.credentials()).length, 1);

        await makeOld();
        await page.getByRole("button", { name: /^Remove: / }).click();
        await page.locator("form").getByRole("button", { name: "Remove", exact: true }).click();
        await inDialog.press("Use a passkey");
        await steps.notice(texts.passkeyRemoved);
      });

      it("confirm with one press a provider that was connected meanwhile", async () => {
        await using opened = await open();
        const { page } = opened;
        const { dialog, steps, inDialog } = await signUpLongAgo(page);
        signin.harness.newOidcPerson();
        await steps.press("Connect: Google");
        await steps.notice(/Google/);
        await page.getByText(texts.unconfirmed).waitFor();
        await steps.press("Confirm: Google");
        await dialog.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await inDialog.press("Confirm");
        await steps.notice("Google is confirmed.");
        await page.getByRole("button", { name: "Confirm: Google" }).waitFor({ state: "detached" });
      });
    });

    it("deletes a signed-in account however many wrong passwords strangers entered", async () => {
      const stranger = signin.harness.agent();
      await using opened = await open(shared, stranger.address);
      const { page } = opened;
      const email = `passkey${signin.harness.next()}@example.test`;
      await signUp(page, email);
      const json = { email, password: "not the password" };
      const guess = async () => (await stranger.post("/auth/login", json)).status;
      for (let at = 1; at <= RATE_LIMITS.loginPerEmailAndIp.limit; at += 1) {
        assert.equal(await guess(), 401);
      }
      assert.equal(await guess(), 429);

      const steps = stepsOf(page);
      await steps.press("Delete account");
      await page.locator("#data").getByLabel("Password", { exact: true }).fill(PASSWORD);
      await page.locator("form").getByRole("button", { name: "Delete account" }).click();
      await steps.notice(texts.deleted);
      assert.equal(await signin.harness.count("users", "email = ?", [email]), 0);
    });
  });
}
