import { h, type VNode } from "preact";
import { lazy } from "../../ui/lazy.ts";
import type { MathNode } from "./math.ts";

const mathematics = lazy(() => import("./math.ts"));

// Nothing of it loads, leads elsewhere or has a style: the policy of the page takes none.
const ATTRIBUTES =
  /^(display|displaystyle|scriptlevel|mathvariant|stretchy|fence|separator|form|[lr]space|(min|max)size|movablelimits|symmetric|largeop|accent(under)?|linethickness|(column|row)(align|spacing|lines)|width|height|depth|voffset)$/;
const ELEMENT = /^m[a-z]+$/;

/** TeX as MathML; as it is written until the converter is there, and where it cannot read it. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  try {
    const math = mathematics()?.toMath(tex, isBlock);
    if (math) return draw(math);
  } catch {
    // No TeX that is known.
  }
  return <code>{tex}</code>;
}

function draw({ type, text, attributes = {}, children = [] }: MathNode): VNode | string {
  if (text !== undefined) return text;
  const kept = Object.entries(attributes).filter(([name]) => ATTRIBUTES.test(name));
  const name = type && ELEMENT.test(type) ? type : "mrow";
  return h(name, Object.fromEntries(kept), children.map(draw));
}
