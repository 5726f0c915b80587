/** The text of a mail. */
export function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}

/** The name by which mails refer to this server. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}
