import { type EngineError, invalid } from "../errors.ts";
import { FILE_PATH_CHARACTERS_MAX } from "../limits.ts";
import { ENGINE_FOLDER } from "./skipped-folders.ts";

interface PathRules {
  /** The name of the field in `details`. */
  field?: string;
  /** Whether an empty path means the root. */
  rootAllowed?: boolean;
  /** Whether it is the path of a folder. */
  isFolder?: boolean;
  /** Whether Windows rules apply; by default on Windows. */
  windows?: boolean;
}

const OWN_FOLDER = "must not name the engine's own folder";
const RUNS_ON_WINDOWS = process.platform === "win32";

/**
 * The segments of a path relative to a root (Engine §4, workspace files). These are rules for the text alone; opening the
 * path checks for links (`open-folder.ts`).
 * @throws EngineError `invalid` if the text is not such a path.
 */
export function parseRelativePath(text: string, rules: PathRules = {}): string[] {
  const { field = "path", rootAllowed = false, isFolder = false } = rules;
  const { windows = RUNS_ON_WINDOWS } = rules;
  if (text === "" && rootAllowed) return [];
  const fault = faultOfPath(text, windows);
  if (fault !== undefined) throw invalidPath(`${field}: ${fault}`);
  const segments = splitPath(text, windows);
  if (isFolder && isEngineFolder(segments.at(-1) ?? "")) {
    throw invalidPath(`${field}: ${OWN_FOLDER}`);
  }
  return segments;
}

/** 400: a path that no file or folder can have. */
export function invalidPath(details: string): EngineError {
  return invalid("Invalid path.", details);
}

/** The wire form of segments: separated by `/` on every platform. */
export function joinPath(...segments: readonly string[]): string {
  return segments.filter((segment) => segment !== "").join("/");
}

/** Whether a request can name this file. Other files are neither listed nor searched. */
export function isAddressable(name: string, windows = RUNS_ON_WINDOWS): boolean {
  // Fast path: of the names on a POSIX file system, only those with a backslash need a check.
  if (!windows && !name.includes("\\")) return true;
  return faultOfPath(name, windows) === undefined;
}

/** Whatever its case, as a file system may ignore that. */
export function isEngineFolder(name: string): boolean {
  return name.length === ENGINE_FOLDER.length && name.toLowerCase() === ENGINE_FOLDER;
}

function splitPath(text: string, windows: boolean): string[] {
  return text.split(windows ? /[/\\]/ : "/");
}

function faultOfPath(text: string, windows: boolean): string | undefined {
  if (text === "") return "must not be empty";
  if (text.length > FILE_PATH_CHARACTERS_MAX)
    return `must have at most ${FILE_PATH_CHARACTERS_MAX} characters`;
  if (text.includes("\0")) return "must not contain a NUL character";
  if (!text.isWellFormed()) return "must not contain half of a surrogate pair";
  // Reject absolute paths of every platform: `C:\…` or `\\server` never names a file of this root.
  if (/^(?:[/\\]|[A-Za-z]:[/\\])/.test(text)) return "must be relative to the root";
  const segments = splitPath(text, windows);
  if (segments.includes("")) return "must not contain an empty segment";
  // With either separator: `..\` on Windows must not leave the root.
  if (text.split(/[/\\]/).some((part) => part === "." || part === ".."))
    return "must not contain `.` or `..` segments";
  // A file may have the same name.
  if (segments.slice(0, -1).some(isEngineFolder)) return OWN_FOLDER;
  return windows
    ? segments.map(faultOfWindowsName).find((fault) => fault !== undefined)
    : undefined;
}

// Device names of Windows, with any extension and in any case. Superscript digits count as digits there.
const RESERVED_NAME =
  /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3]) *(?:\.|$)/i;

function faultOfWindowsName(name: string): string | undefined {
  if (/[<>:"|?*\u0000-\u001f]/.test(name)) return 'must not contain any of < > : " | ? *';
  if (/[. ]$/.test(name)) return "must not have a segment that ends in a dot or space";
  if (RESERVED_NAME.test(name)) return "must not name a device";
  return undefined;
}
