import { common, createLowlight } from "lowlight";

/** Code with the colours of its parts. */
export type Colored = string | { name: string; children: Colored[] };

/** What of the highlighter's tree is read. */
interface Node {
  type: string;
  value?: string;
  properties?: { className?: unknown };
  children?: readonly Node[];
}

const lowlight = createLowlight(common);

/** Code in its parts; undefined if the language is not known. */
export function highlight(code: string, language: string): Colored[] | undefined {
  if (!lowlight.registered(language)) return undefined;
  return toColored((lowlight.highlight(language, code) as Node).children ?? []);
}

function toColored(nodes: readonly Node[]): Colored[] {
  return nodes.map(({ value, properties, children = [] }) => {
    const name = Array.isArray(properties?.className) ? String(properties.className[0]) : "";
    return value ?? { name, children: toColored(children) };
  });
}
