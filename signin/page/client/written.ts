import { h, type VNode } from "preact";

/** The element with an id of page/routes.ts. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no ${id}.`);
  return found;
}

// The server writes a link with its mark for each configured provider.
const written = byId("providers");
const links = [...written.querySelectorAll("a")];
const NAMES: Readonly<Record<string, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
  ...Object.fromEntries(links.map(({ dataset }) => [dataset.provider, dataset.name])),
};

/** How the links are laid out. */
export const providersClass = written.className;

/** The links that sign in through each configured provider. */
export function providerLinks(): VNode[] {
  return links.map(toElement);
}

/** The name of a provider of sign-ins or of API keys. */
export function providerName(slug: string): string {
  return NAMES[slug] ?? slug;
}

/** The mark of a configured provider, or the name of an icon in its place. */
export function providerMark(slug: string): VNode | "key" {
  const mark = links.find(({ dataset }) => dataset.provider === slug)?.querySelector("svg");
  return mark ? toElement(mark) : "key";
}

function toElement({ localName, attributes, childNodes }: Element): VNode {
  const children = [...childNodes].map((child) =>
    child instanceof Element ? toElement(child) : child.textContent,
  );
  const props = Object.fromEntries([...attributes].map(({ name, value }) => [name, value]));
  return h(localName, props, children);
}
