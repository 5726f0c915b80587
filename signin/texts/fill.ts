/** A text with its values: `{name}` of the text is `values.name`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{([a-z]{1,12})\}/g, (place, name: string) => String(values[name] ?? place));
}
