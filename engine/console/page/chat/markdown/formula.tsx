import { h, type VNode } from "preact";
import { lazy } from "../../ui/lazy.ts";
import { MATH_EXPANSIONS_MAX, MATH_SIZE_MAX } from "../limits.ts";
import type { MathPart } from "./math.ts";

const mathematics = lazy(() => import("./math.ts"));

/** TeX as MathML; as it is written until the converter is there, and where it cannot read it. */
export function Formula({ tex, isBlock }: { tex: string; isBlock: boolean }) {
  return toElement(tex, isBlock) ?? <code>{tex}</code>;
}

function toElement(tex: string, displayMode: boolean) {
  const maxSize = [MATH_SIZE_MAX, MATH_SIZE_MAX] as const;
  try {
    const math = mathematics()?.toMath(tex, {
      displayMode,
      maxExpand: MATH_EXPANSIONS_MAX,
      maxSize,
    });
    return math && draw(math);
  } catch {
    return undefined;
  }
}

function draw(part: MathPart): VNode | string {
  if (typeof part === "string") return part;
  return h(part.name, part.attributes, part.children.map(draw));
}
