import { readDevice } from "../../audit/device-name.ts";
import type { IconName } from "./icon.tsx";
import { say, texts } from "./words.ts";

const PHONES = ["iPhone", "iPad", "Android"];

/** A device in words and as a picture: `Chrome on Windows`. */
export interface Device {
  name: string;
  icon: IconName;
}

/** The device that a `User-Agent` header claims to be. */
export function toDevice(userAgent: string | null, kind = ""): Device {
  if (kind === "native") return { name: texts.program, icon: "program" };
  const { browser, system } = readDevice(userAgent ?? "");
  if (browser === undefined && system === undefined) {
    return { name: texts.unknownDevice, icon: "program" };
  }
  const icon = PHONES.includes(system ?? "") ? "phone" : "computer";
  if (browser && system) return { name: say(texts.deviceOn, { browser, system }), icon };
  return { name: browser ?? system ?? "", icon };
}
