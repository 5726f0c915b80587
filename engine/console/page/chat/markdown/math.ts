import temml from "temml";
import { MATH_EXPANSIONS_MAX, MATH_SIZE_MAX } from "../limits.ts";

/** What of the converter's tree is read: an element of MathML, or text. */
export interface MathNode {
  type?: string;
  text?: string;
  attributes?: Readonly<Record<string, unknown>>;
  children?: readonly MathNode[];
}

// The package declares its functions by other names than it exports.
const converter = temml as unknown as {
  __renderToMathMLTree(tex: string, options: object): MathNode;
};

/** TeX as MathML. @throws if it is not TeX that is known. */
export function toMath(tex: string, isBlock: boolean): MathNode {
  return converter.__renderToMathMLTree(tex, {
    displayMode: isBlock,
    maxExpand: MATH_EXPANSIONS_MAX,
    maxSize: [MATH_SIZE_MAX, MATH_SIZE_MAX],
    throwOnError: true,
  });
}
