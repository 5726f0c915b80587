/** A part of an address without its escapes; as it is if they are malformed. */
export function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
