import temml from "temml";

/** An element of MathML, or text. */
export type MathPart =
  | string
  | { name: string; attributes: Record<string, string>; children: MathPart[] };

interface MathOptions {
  /** Whether it stands alone. */
  displayMode: boolean;
  /** How often macros are expanded. */
  maxExpand: number;
  /** In em. */
  maxSize: readonly [number, number];
}

/** What of the converter's tree is read. */
interface Node {
  type?: string;
  text?: string;
  attributes?: Record<string, unknown>;
  children?: readonly Node[];
}

// Nothing of it loads, leads elsewhere or has a style: the policy of the page takes none.
const ATTRIBUTES =
  /^(display|displaystyle|scriptlevel|mathvariant|stretchy|fence|separator|form|[lr]space|(min|max)size|movablelimits|symmetric|largeop|accent(under)?|linethickness|(column|row)(align|spacing|lines)|width|height|depth|voffset)$/;
const ELEMENT = /^m[a-z]+$/;

// The package declares its functions by other names than it exports.
const converter = temml as unknown as {
  __renderToMathMLTree(tex: string, options: object): Node;
};

/** TeX as MathML. @throws if it is not TeX that is known. */
export function toMath(tex: string, options: MathOptions): MathPart {
  const tree = converter.__renderToMathMLTree(tex, {
    ...options,
    throwOnError: true,
  });
  return toPart(tree);
}

function toPart({ type, text, attributes = {}, children = [] }: Node): MathPart {
  if (text !== undefined) return text;
  const kept = Object.entries(attributes).filter(([name]) => ATTRIBUTES.test(name));
  return {
    name: type && ELEMENT.test(type) ? type : "mrow",
    attributes: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    children: children.map(toPart),
  };
}
