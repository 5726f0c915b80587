/** The element with an id of page.html, of this `kind`. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${id}.`);
  return found;
}

/** An element with text. No input is parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  text = "",
  className = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.textContent = text;
  if (className) made.className = className;
  return made;
}

/** The fields of a form by name, without the empty ones. */
export function fieldsOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" && value !== "" ? [[name, value] as const] : [],
  );
  return Object.fromEntries(entries);
}

/** A button whose label names its object, for screen readers. */
export function button(text: string, label: string, press: () => Promise<void>): HTMLButtonElement {
  const made = element("button", text);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", () => {
    made.disabled = true;
    void press().finally(() => {
      made.disabled = false;
    });
  });
  return made;
}

const SHORT_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function shortTime(iso: string): string {
  return SHORT_TIME.format(new Date(iso));
}
