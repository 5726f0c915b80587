/** What stands where a secret stood. */
export const REDACTED_SECRET = "[redacted secret]";

// Each with what it is; found in any file, whatever its name.
const SECRETS: readonly RegExp[] = [
  // A PEM private key, the whole block; then one without an end, as far as it looks like base64 in any quoting.
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,20000}?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g,
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\sA-Za-z0-9+/=:,;"'`\\.()-]*/g,
  // An AWS access key id.
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  // A GitHub token: classic, OAuth, user, server, refresh; fine-grained.
  /\bgh[pousr]_[A-Za-z0-9]{36,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,}/g,
  // A GitLab token.
  /\bglpat-[A-Za-z0-9_-]{20,}/g,
  // A Slack token.
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  // Keys of model providers (`sk-`, `sk-ant-`, `sk-proj-`) and of Stripe.
  /\bsk-(?:[a-z]+-)*[A-Za-z0-9_-]{20,}/g,
  /\b[rs]k_live_[A-Za-z0-9]{16,}/g,
  // A Google API key.
  /\bAIza[0-9A-Za-z_-]{35}/g,
  // An npm token.
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  // A JSON Web Token of three long parts.
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
];

const HINTS = /-----BEGIN|AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|xox|sk-|k_live_|AIza|npm_|eyJ/;

/** Takes secrets of known forms out of a text before anything of it is stored. Line breaks stay, so line numbers hold. */
export function redactSecrets(text: string): string {
  if (!HINTS.test(text)) return text;
  return SECRETS.reduce((clean, pattern) => clean.replace(pattern, keepLines), text);
}

function keepLines(secret: string): string {
  return REDACTED_SECRET + secret.replace(/[^\r\n]+/g, "");
}
