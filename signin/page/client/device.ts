import type { IconName } from "./dom.ts";
import { say, texts } from "./words.ts";

// The first pattern that fits: browsers name those that they derive from, too.
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string, IconName])[] = [
  [/\biPhone\b/, "iPhone", "phone"],
  [/\biPad\b/, "iPad", "phone"],
  [/\bAndroid\b/, "Android", "phone"],
  [/\bWindows\b/, "Windows", "computer"],
  [/\bCrOS\b/, "ChromeOS", "computer"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS", "computer"],
  [/\bLinux\b/, "Linux", "computer"],
];

/** A device in words and as a picture: `Chrome on Windows`. */
export interface Device {
  name: string;
  icon: IconName;
}

/** The device that a `User-Agent` header claims to be. */
export function toDevice(userAgent: string | null, kind = ""): Device {
  if (kind === "native") return { name: texts.program, icon: "program" };
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [, system, icon = "computer"] =
    SYSTEMS.find(([pattern]) => pattern.test(userAgent ?? "")) ?? [];
  if (browser && system) return { name: say(texts.deviceOn, { browser, system }), icon };
  return { name: browser ?? system ?? texts.unknownDevice, icon: userAgent ? icon : "program" };
}
