/** A regular expression that recheck cannot decide. */
export interface UndecidedExpression {
  /** As it is written. */
  text: string;
  expression: RegExp;
  /** What its input never exceeds, by the name of the limit. */
  boundCharacters: number;
  /** Texts of a length that are hard for it. */
  attacks: readonly ((characters: number) => string)[];
}

/** Each has a bound on its input, and its growth is measured up to that bound. */
export const UNDECIDED: readonly UndecidedExpression[] = [];
