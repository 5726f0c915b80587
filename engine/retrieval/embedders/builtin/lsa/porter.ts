// M. F. Porter, "An algorithm for suffix stripping", 1980, step by step. Only ASCII words are stemmed: the rules are English.

const VOWEL = "aeiouy";
const STEP_2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
];
const STEP_3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const STEP_4 =
  /^(.+?)(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic|ou)$/;

/** The stem of a lower-case ASCII word, so that `indexing` and `indexed` are one term. Other words are returned unchanged. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word;
  return step5(step4(step3(step2(step1c(step1b(step1a(word)))))));
}

function step1a(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function step1b(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const bare = word.endsWith("ed")
    ? word.slice(0, -2)
    : word.endsWith("ing")
      ? word.slice(0, -3)
      : "";
  if (bare === "" || !hasVowel(bare)) return word;
  if (/(at|bl|iz)$/.test(bare)) return `${bare}e`;
  if (endsInDoubleConsonant(bare) && !/[lsz]$/.test(bare)) return bare.slice(0, -1);
  return measure(bare) === 1 && endsInCvc(bare) ? `${bare}e` : bare;
}

function step1c(word: string): string {
  return word.endsWith("y") && hasVowel(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

function step2(word: string): string {
  return replaceSuffix(word, STEP_2);
}

function step3(word: string): string {
  return replaceSuffix(word, STEP_3);
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

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[]): string {
  for (const [suffix, replacement] of rules) {
    if (!word.endsWith(suffix)) continue;
    const bare = word.slice(0, -suffix.length);
    return measure(bare) > 0 ? bare + replacement : word;
  }
  return word;
}

function isConsonant(word: string, at: number): boolean {
  const letter = word[at] ?? "";
  if (letter === "y") return at === 0 || !isConsonant(word, at - 1);
  return !VOWEL.includes(letter);
}

/** Porter's m: the number of vowel-consonant sequences. */
function measure(word: string): number {
  let count = 0;
  let afterVowel = false;
  for (let at = 0; at < word.length; at += 1) {
    const consonant = isConsonant(word, at);
    if (consonant && afterVowel) count += 1;
    afterVowel = !consonant;
  }
  return count;
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at += 1) if (!isConsonant(word, at)) return true;
  return false;
}

function endsInDoubleConsonant(word: string): boolean {
  const last = word.length - 1;
  return last > 0 && word[last] === word[last - 1] && isConsonant(word, last);
}

function endsInCvc(word: string): boolean {
  const last = word.length - 1;
  if (last < 2 || /[wxy]$/.test(word)) return false;
  return isConsonant(word, last) && !isConsonant(word, last - 1) && isConsonant(word, last - 2);
}
