import type { App } from "../app.ts";
import { type Child, h, present } from "../dom.ts";
import { problemLine, toSentence } from "../form.ts";

/** A section of the account: what it is about, and its rows in a card. */
export function section(
  id: string,
  parts: { title: string; lead: string; rows: readonly Child[]; foot?: Child },
): HTMLElement {
  const title = h("h2", { id: `${id}-title`, tabindex: -1 }, parts.title);
  return h(
    "section",
    { id, "aria-labelledby": title.id },
    h("div", { class: "about" }, title, h("p", { class: "soft" }, parts.lead)),
    h("div", { class: "rows" }, h("ul", {}, ...parts.rows), parts.foot),
  );
}

interface RowParts {
  mark?: Child;
  title: Child;
  /** Beside the title. */
  badge?: string | undefined;
  /** Below it, one line each. */
  notes?: readonly (string | undefined | false)[];
  actions?: readonly Child[];
}

/** A row: a mark, words, what can be done. What a button opens, and what went wrong, stand below it. */
export function row({ mark, title, badge, notes = [], actions = [] }: RowParts): HTMLElement {
  return h(
    "li",
    { class: "row" },
    h("span", { class: "row-mark" }, mark),
    h(
      "div",
      { class: "row-words" },
      h("span", { class: "row-title" }, title),
      badge !== undefined && h("span", { class: "badge" }, badge),
      ...present(notes).map((note) => h("span", { class: "row-note" }, note)),
    ),
    actions.length > 0 && h("div", { class: "row-actions" }, ...actions),
    h("div", { class: "row-below" }),
    problemLine(),
  );
}

interface Action {
  /** Names the object of the button, for screen readers. */
  label?: string;
  className?: string | undefined;
  run(): Promise<void>;
}

/** A button that does something. What goes wrong is written below its row. */
export function action(text: string, { label, className, run }: Action): HTMLElement {
  const press = async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    const problem = button
      .closest(".row, .foot-row, .head, dialog")
      ?.querySelector(":scope > .problem");
    if (problem) problem.textContent = "";
    await run().catch((error: unknown) => {
      if (problem) problem.textContent = toSentence(error);
    });
    button.ariaBusy = null;
  };
  const attributes = { type: "button", class: className, "aria-label": label };
  const button = h("button", { ...attributes, onclick: () => void press() }, text);
  return button;
}

/** Runs a change, shows the account again, and says what was done. @throws Refusal */
export function change(app: App, work: () => Promise<unknown>, done: string): Promise<void> {
  return whileSignedIn(app, async () => {
    app.notify("");
    await work();
    await app.refresh();
    if (app.session.isOpen) app.notify(done);
  });
}

/** Where the session has ended meanwhile, the page says so at the sign-in. @throws Refusal */
export async function whileSignedIn(app: App, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (app.session.isOpen) throw error;
    await app.leave(toSentence(error));
  }
}

/** A button that opens a form below its row, and closes it again. */
export function opener(
  text: string,
  { label, className, make }: { label?: string; className?: string; make(close: () => void): Node },
): HTMLElement {
  const below = () => button.closest(".row")?.querySelector(".row-below");
  const isOpen = () => button.ariaExpanded === "true";
  const close = () => {
    below()?.replaceChildren();
    button.ariaExpanded = "false";
    button.focus();
  };
  const open = () => {
    // One form a row.
    const openers = button.parentElement?.querySelectorAll<HTMLElement>("[aria-expanded]") ?? [];
    for (const other of openers) other.ariaExpanded = String(other === button);
    below()?.replaceChildren(make(close));
    below()?.querySelector("input")?.focus();
  };
  const attributes = { type: "button", class: className, "aria-label": label };
  const button = h(
    "button",
    { ...attributes, "aria-expanded": "false", onclick: () => (isOpen() ? close() : open()) },
    text,
  );
  return button;
}
