import { showAccount } from "./account/account.ts";
import { askForProof } from "./account/proof.ts";
import { Session } from "./api.ts";
import { type App, VIEWS, type ViewName } from "./app.ts";
import { byId, h, icon, present } from "./dom.ts";
import { toSentence } from "./form.ts";
import { heading } from "./heading.ts";
import { createPasskeySignIn } from "./passkey-sign-in.ts";
import { providerName } from "./providers.ts";
import { viewOf } from "./views.ts";
import { hasMail, say, texts } from "./words.ts";

// The user's page. Its state is the session; everything else is read from the server each time it is shown.
const view = byId("view");
const notice = byId("notice");
const appName = byId("brand").textContent;

const app: App = {
  session: new Session((ways) => askForProof(app, ways)),
  email: "",
  async enter(tokens, text) {
    app.session.begin(tokens);
    await display();
    app.notify(text);
  },
  async refresh() {
    if (app.session.isOpen) await showAccount(app, view);
    else await app.leave(texts.failures.session_expired);
  },
  async leave(text) {
    await display("sign-in");
    app.notify(text);
  },
  show(children) {
    passkeys.stop();
    view.replaceChildren(...present(children));
    focusHeading();
  },
  notify(text) {
    notice.textContent = text;
  },
};
const passkeys = createPasskeySignIn(app);

byId("toast").append(closeButton());
addEventListener("hashchange", () => {
  app.notify("");
  void display();
});
// A sentence stays until the next thing that the reader does.
addEventListener("click", () => app.notify(""), { capture: true });
void start();

async function start(): Promise<void> {
  const back = new URLSearchParams(location.search);
  history.replaceState(null, "", location.pathname + location.hash);
  if (back.get("auth") === "success") app.session.forgetTab();
  let text = "";
  try {
    await app.session.resume();
  } catch (error) {
    text = toSentence(error);
  }
  const connected = await display();
  app.notify(text || welcome(back, connected));
}

/** The link can be forged: the page reports a connection only where the server lists it. */
function welcome(back: URLSearchParams, connected: readonly string[]): string {
  const provider = back.get("connected");
  if (provider !== null && connected.includes(provider)) {
    return say(texts.connected, { provider: providerName(provider) });
  }
  return back.get("auth") === "success" && app.session.isOpen ? texts.signedIn : "";
}

/** Shows the view that the address names, or the account where there is a session; returns its connected providers. */
async function display(wanted = location.hash.slice(1)): Promise<readonly string[]> {
  // What the server wrote stands there until the first view: then the focus stays where it is.
  const isFirst = view.hasAttribute("aria-busy");
  const connected = app.session.isOpen ? await displayAccount() : displayView(wanted);
  view.removeAttribute("aria-busy");
  if (!isFirst) focusHeading();
  return connected;
}

async function displayAccount(): Promise<readonly string[]> {
  passkeys.stop();
  try {
    const connected = await showAccount(app, view);
    name("account", texts.account);
    return connected;
  } catch (error) {
    const text = toSentence(error);
    if (!app.session.isOpen) displayView("sign-in");
    else {
      const again = h("button", { onclick: () => void display() }, texts.tryAgain);
      view.replaceChildren(heading(texts.account), h("p", { class: "problem" }, text), again);
      name("account", texts.account);
    }
    app.notify(text);
    return [];
  }
}

function displayView(wanted: string): readonly string[] {
  // All others mail a code.
  const possible = hasMail ? VIEWS : [];
  const found: ViewName = possible.find((each) => each === wanted) ?? "sign-in";
  passkeys.stop();
  view.replaceChildren(...present(viewOf(found, app, passkeys)));
  name(found, view.querySelector("h1")?.textContent ?? "");
  return [];
}

/** Names the view in the address and in the title, and lays it out. */
function name(view: ViewName | "account", title: string): void {
  history.replaceState(null, "", `${location.pathname}#${view}`);
  document.title = `${title} · ${appName}`;
  byId("frame").dataset.view = view;
}

function focusHeading(): void {
  view.querySelector("h1")?.focus();
  scrollTo(0, 0);
}

function closeButton(): HTMLElement {
  const close = () => app.notify("");
  return h(
    "button",
    { type: "button", class: "icon-only", "aria-label": texts.close, onclick: close },
    icon("close"),
  );
}
