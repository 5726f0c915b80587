import rules from "./sensitive-names.json" with { type: "json" };

// Files whose text is never indexed: a search returns only that they exist (Engine §2, retrieval rule 3).
// Names are compared in lower case; `*` stands for anything within the name.

/** A search returns this instead of a sensitive file's text. */
export const SENSITIVE_NOTICE = "A sensitive file exists at this path; its content is not indexed.";

interface Rule {
  names: string;
  /** Names of files of data, whatever their format. */
  data?: string | undefined;
  except?: string | undefined;
}

const DATA_FORMATS = rules.dataFormats.split(" ");

const FILES = rules.files.map(toMatcher);
const FOLDERS = rules.folders.map(toMatcher);
// A file in a folder that is sensitive only together with it.
const PATHS = rules.paths.map(toMatcher);

/** Whether the file at a path relative to its root (with `/`) is sensitive, by its name or by a folder on the way. */
export function isSensitivePath(path: string): boolean {
  const segments = path.toLowerCase().split("/");
  const written = segments.pop() ?? "";
  if (segments.some(isSensitiveFolder)) return true;
  return [written, ...originalsOf(written)].some(
    (name) =>
      FILES.some((matches) => matches(name)) ||
      PATHS.some((matches) => matches(`${segments.at(-1) ?? ""}/${name}`)),
  );
}

const COPY_ENDINGS = ["~", ".bak", ".old", ".orig", ".save", ".swp"];

/** The original names of a backup copy: `.env~`, `.netrc.bak`, `.id_rsa.swp`. */
function originalsOf(name: string): string[] {
  const ending = COPY_ENDINGS.find((ending) => name.endsWith(ending));
  if (ending === undefined) return [];
  const original = name.slice(0, -ending.length);
  const swapped = ending === ".swp" ? [original.slice(1)] : [];
  return [original, ...swapped, ...originalsOf(original)];
}

/** Whether all files in a folder of this name are sensitive. */
export function isSensitiveFolder(name: string): boolean {
  const lower = name.toLowerCase();
  return FOLDERS.some((matches) => matches(lower));
}

function toMatcher({ names, data, except }: Rule): (name: string) => boolean {
  const stems = data?.split(" ") ?? [];
  const dataNames = stems.flatMap((stem) => DATA_FORMATS.map((format) => `${stem}.${format}`));
  const included = toPatterns([names, ...dataNames].join(" "));
  const excluded = toPatterns(except ?? "");
  return (name) =>
    included.some((pattern) => matches(pattern, name)) &&
    !excluded.some((pattern) => matches(pattern, name));
}

/** The texts between the `*` of each name. */
function toPatterns(names: string): readonly string[][] {
  return names.split(" ").map((name) => name.split("*"));
}

// Each text is taken where it first occurs, so a name is read once; `?` stands for one character.
function matches([start = "", ...rest]: readonly string[], name: string): boolean {
  const end = rest.pop();
  if (end === undefined) return name.length === start.length && standsAt(start, name, 0);
  if (name.length < start.length + end.length || !standsAt(start, name, 0)) return false;
  const last = name.length - end.length;
  if (!standsAt(end, name, last)) return false;
  let at = start.length;
  for (const part of rest) {
    while (at + part.length <= last && !standsAt(part, name, at)) at += 1;
    at += part.length;
    if (at > last) return false;
  }
  return true;
}

function standsAt(part: string, name: string, at: number): boolean {
  for (let i = 0; i < part.length; i += 1) {
    if (part[i] !== "?" && part[i] !== name[at + i]) return false;
  }
  return true;
}
