/** `root_index` → `rootIndex`; other names stay. */
export function toCamelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A tag as a part of a type's name: `workspaces` → `Workspaces`. */
export function toTypeName(tag: string): string {
  return `${tag.charAt(0).toUpperCase()}${tag.slice(1)}`;
}
