/** The replacement of a secret. */
export const REDACTED_SECRET = "[redacted secret]";

// Searched in every file.
const SECRETS: readonly RegExp[] = [
  // An AWS access key id.
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  // A GitHub token: classic, OAuth, user, server, refresh.
  /\bgh[pousr]_[A-Za-z0-9]{36,}/g,
  // A Google API key.
  /\bAIza[0-9A-Za-z_-]{35}/g,
  // An npm token.
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  // A JSON Web Token of three long parts. The lookbehind makes each run be read once.
  /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
];

// Further forms with the least length of a match: a long counted repetition is hard to prove linear.
const LONG_SECRETS: readonly { pattern: RegExp; charactersMin: number }[] = [
  // A Slack token.
  { pattern: /\bxox[abeoprs]-[A-Za-z0-9-]+/g, charactersMin: 15 },
  // A key of Stripe.
  { pattern: /\b[rs]k_live_[A-Za-z0-9]+/g, charactersMin: 24 },
  // A GitHub token, fine-grained.
  { pattern: /\bgithub_pat_[A-Za-z0-9_]+/g, charactersMin: 33 },
  // A GitLab token.
  { pattern: /\bglpat-[A-Za-z0-9_-]+/g, charactersMin: 26 },
  // Keys of model providers (`sk-`, `sk-ant-`, `sk-proj-`).
  { pattern: /\bsk-[A-Za-z0-9_-]+/g, charactersMin: 23 },
];

// A PEM private key: its beginning, its end, and the form of one without an end, in any quoting.
const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_BODY = /[\sA-Za-z0-9+/=:,;"'`\\.()-]*/y;
const KEY_CHARACTERS_MAX = 20_000;

const HINTS = /-----BEGIN|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|sk-|k_live_|AIza|npm_|eyJ/;

/** Redacts secrets of known forms before a text is stored. Line breaks stay, so line numbers hold. */
export function redactSecrets(text: string): string {
  if (!HINTS.test(text)) return text;
  const clean = SECRETS.reduce(
    (text, pattern) => text.replace(pattern, keepLines),
    redactPrivateKeys(text),
  );
  return LONG_SECRETS.reduce(
    (text, { pattern, charactersMin }) =>
      text.replace(pattern, (found) => (found.length < charactersMin ? found : keepLines(found))),
    clean,
  );
}

// One pass over the beginnings and one over the ends: a lazy repetition would search the end from each beginning.
function redactPrivateKeys(text: string): string {
  const ends = [...text.matchAll(KEY_ENDS)];
  let next = 0;
  const parts: string[] = [];
  let from = 0;
  for (const begin of text.matchAll(KEY_BEGINS)) {
    if (begin.index < from) continue;
    const body = begin.index + begin[0].length;
    while ((ends[next]?.index ?? body) < body) next += 1;
    const end = ends[next];
    const isWhole = end !== undefined && end.index - body <= KEY_CHARACTERS_MAX;
    const to = isWhole ? end.index + end[0].length : endOfKeyBody(text, body);
    parts.push(text.slice(from, begin.index), keepLines(text.slice(begin.index, to)));
    from = to;
  }
  return parts.join("") + text.slice(from);
}

function endOfKeyBody(text: string, from: number): number {
  KEY_BODY.lastIndex = from;
  return from + (KEY_BODY.exec(text)?.[0].length ?? 0);
}

function keepLines(secret: string): string {
  return REDACTED_SECRET + secret.replace(/[^\r\n]+/g, "");
}
