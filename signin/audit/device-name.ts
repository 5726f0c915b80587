// The first match decides: browsers name those that they want to be taken for, too.
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|Chromium|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bmacOS\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and the system that a `User-Agent` names, if they are known. */
export function readDevice(userAgent: string): Record<"browser" | "system", string | undefined> {
  const nameIn = (known: typeof BROWSERS) =>
    known.find(([pattern]) => pattern.test(userAgent))?.[1];
  return { browser: nameIn(BROWSERS), system: nameIn(SYSTEMS) };
}

/**
 * Browser and system of a `User-Agent`, such as `Firefox, Windows`; null if neither is known. The header itself is the
 * client's own text, and has no place in a mail.
 */
export function describeDevice(userAgent: string): string | null {
  const { browser, system } = readDevice(userAgent);
  const names = [browser, system].filter((name) => name !== undefined);
  return names.length === 0 ? null : names.join(", ");
}
