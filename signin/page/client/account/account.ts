import type { App } from "../app.ts";
import { h } from "../dom.ts";
import { problemLine } from "../form.ts";
import { heading } from "../heading.ts";
import { texts } from "../words.ts";
import { activitySection } from "./activity.ts";
import { apiKeySection } from "./api-keys.ts";
import { dataSection } from "./data.ts";
import { deviceSection } from "./devices.ts";
import { profileSection } from "./profile.ts";
import { action, whileSignedIn } from "./row.ts";
import { waysSection } from "./ways.ts";
import type { Account } from "./wire.ts";

/** Shows the account as the server has it now; returns the connected providers. @throws Refusal */
export async function showAccount(app: App, view: HTMLElement): Promise<string[]> {
  const account = await readAccount(app);
  const focused = view.contains(document.activeElement) ? document.activeElement : null;
  view.replaceChildren(
    h("div", { class: "head" }, accountHeading(), logOutButton(app), problemLine()),
    profileSection(app, account),
    waysSection(app, account),
    apiKeySection(app, account),
    deviceSection(app, account),
    activitySection(account),
    dataSection(app, account),
  );
  if (focused) restoreFocus(view, focused);
  return account.providers.flatMap(({ slug, connected }) => (connected ? slug : []));
}

async function readAccount({ session }: App): Promise<Account> {
  const [me, { providers }, { identities }, { passkeys }, { sessions }, { events }] =
    await Promise.all([
      session.call<Account["me"]>("GET", "/auth/me"),
      session.call<Pick<Account, "providers">>("GET", "/auth/providers"),
      session.call<Pick<Account, "identities">>("GET", "/auth/identities"),
      session.call<Pick<Account, "passkeys">>("GET", "/auth/passkeys"),
      session.call<Pick<Account, "sessions">>("GET", "/auth/sessions"),
      session.call<Pick<Account, "events">>("GET", "/auth/events"),
    ]);
  return { me, providers, identities, passkeys, sessions, events };
}

function accountHeading(): HTMLElement {
  const made = heading(texts.account);
  made.id = "account-title";
  return made;
}

function logOutButton(app: App): HTMLElement {
  return action(texts.logOut, {
    run: () =>
      whileSignedIn(app, async () => {
        await app.session.logOut();
        await app.leave(texts.signedOut);
      }),
  });
}

/** The focus goes back to the same button, or to the heading of its section where the button is gone. */
function restoreFocus(view: HTMLElement, old: Element): void {
  const section = view.querySelector(`#${old.closest("section")?.id || "account-title"}`);
  const label = nameOf(old);
  const same = [...(section?.querySelectorAll("button") ?? [])].find(
    (each) => nameOf(each) === label,
  );
  (same ?? section?.querySelector("h2") ?? view.querySelector("h1"))?.focus();
}

function nameOf(button: Element): string | null {
  return button.getAttribute("aria-label") ?? button.textContent;
}
