/** The languages of pages and mails. The first one is that of a reader who has none of them. */
export const LANGUAGES = ["en", "de", "fr", "es", "pt-BR", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

const [FALLBACK] = LANGUAGES;
/** Ranges of the header that are read. Browsers send fewer than ten. */
const RANGES_MAX = 20;

/** The language of an `Accept-Language` header (RFC 9110 §12.5.4): by weight, then by order. A region counts as its language. */
export function chooseLanguage(acceptLanguage: string | null | undefined): Language {
  const ranges = (acceptLanguage ?? "")
    .split(",", RANGES_MAX)
    .map(toRange)
    .filter(({ weight }) => weight > 0)
    // The sort is stable.
    .sort((one, other) => other.weight - one.weight);
  for (const { name } of ranges) {
    const found = LANGUAGES.find((language) => baseOf(language) === baseOf(name));
    if (found) return found;
  }
  return FALLBACK;
}

function toRange(text: string): { name: string; weight: number } {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="));
  return { name, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
}

/** `pt` of `pt-BR`. */
function baseOf(name: string): string {
  return name.split("-", 1)[0] ?? "";
}
