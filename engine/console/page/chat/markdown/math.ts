import temml from "temml";

/** What of the converter's tree is read: an element of MathML, or text. */
export interface MathNode {
  type?: string;
  text?: string;
  attributes?: Readonly<Record<string, unknown>>;
  children?: readonly MathNode[];
}

interface MathOptions {
  /** Whether it stands alone. */
  displayMode: boolean;
  /** How often macros are expanded. */
  maxExpand: number;
  /** In em. */
  maxSize: readonly [number, number];
}

// The package declares its functions by other names than it exports.
const converter = temml as unknown as {
  __renderToMathMLTree(tex: string, options: object): MathNode;
};

/** TeX as MathML. @throws if it is not TeX that is known. */
export function toMath(tex: string, options: MathOptions): MathNode {
  return converter.__renderToMathMLTree(tex, { ...options, throwOnError: true });
}
