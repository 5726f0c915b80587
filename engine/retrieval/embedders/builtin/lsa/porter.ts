import suffixes from "./porter-suffixes.json" with { type: "json" };

// M. F. Porter, "An algorithm for suffix stripping", 1980, step by step. Only ASCII words are stemmed: the rules are English.

const STEP_2 = Object.entries(suffixes.step2);
const STEP_3 = Object.entries(suffixes.step3);
const STEP_4 =
  /^(.+?)(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic|ou)$/;

/** The stem of a lower-case ASCII word, so that `indexing` and `indexed` are one term. Other words are returned unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  const singular = step1c(step1b(step1a(word)));
  const shorter = replaceSuffix(replaceSuffix(singular, STEP_2), STEP_3);
  return step5(step4(shorter));
}

function step1a(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const bare = /^(.+)(?:ed|ing)$/.exec(word)?.[1] ?? "";
  if (!hasVowel(bare)) return word;
  if (/(at|bl|iz)$/.test(bare)) return `${bare}e`;
  if (endsInDoubleConsonant(bare) && !/[lsz]$/.test(bare)) return bare.slice(0, -1);
  return measure(bare) === 1 && endsInCvc(bare) ? `${bare}e` : bare;
}

function step1c(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function step4(word: string): string {
  const [, bare = "", suffix = ""] = STEP_4.exec(word) ?? [];
  if (suffix === "" || measure(bare) <= 1) return word;
  return suffix === "ion" && !/[st]$/.test(bare) ? word : bare;
}

function step5(word: string): string {
  let result = word;
  if (result.endsWith("e")) {
    const bare = result.slice(0, -1);
    const syllables = measure(bare);
    if (syllables > 1 || (syllables === 1 && !endsInCvc(bare))) result = bare;
  }
  return measure(result) > 1 && result.endsWith("ll") ? result.slice(0, -1) : result;
}

function replaceSuffix(word: string, replacements: readonly [string, string][]): string {
  const found = replacements.find(([suffix]) => word.endsWith(suffix));
  if (!found) return word;
  const [suffix, replacement] = found;
  const bare = word.slice(0, -suffix.length);
  return measure(bare) > 0 ? bare + replacement : word;
}

/** Porter's m: the number of vowel-consonant sequences. */
function measure(word: string): number {
  return shapeOf(word).split("VC").length - 1;
}

function hasVowel(word: string): boolean {
  return shapeOf(word).includes("V");
}

function endsInDoubleConsonant(word: string): boolean {
  return word.at(-1) === word.at(-2) && shapeOf(word).endsWith("C");
}

function endsInCvc(word: string): boolean {
  return shapeOf(word).endsWith("CVC") && !/[wxy]$/.test(word);
}

// C for each consonant, V for each vowel; a y behind a consonant is a vowel.
function shapeOf(word: string): string {
  let shape = "";
  for (const letter of word) {
    const isVowel = letter === "y" ? shape.endsWith("C") : "aeiou".includes(letter);
    shape += isVowel ? "V" : "C";
  }
  return shape;
}
