import { fill } from "../../texts/fill.ts";
import type { PageFacts } from "../facts.ts";
import { byId } from "./written.ts";

// The server writes it in the language of the browser, so that one language is loaded.
const facts = JSON.parse(
  (byId("facts") as HTMLTemplateElement).content.textContent ?? "",
) as PageFacts;

/** Every text of the page, in the reader's language, and what the server knows. */
export const { texts, hasMail, canSignUp, signUpNote, pending } = facts;
const { language } = facts;

/** A text with its values in the places of `{name}`. */
export const say = fill;

const RELATIVE = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
const DAY = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const UNITS = [
  ["second", 60],
  ["minute", 60],
  ["hour", 24],
  ["day", 7],
] as const;

/** `5 minutes ago`; from a week on the day. */
export function ago(iso: string): string {
  let count = Math.min(0, (Date.parse(iso) - Date.now()) / 1000);
  for (const [unit, size] of UNITS) {
    if (-count < size) return RELATIVE.format(Math.round(count), unit);
    count /= size;
  }
  return DAY.format(new Date(iso));
}

/** The day and the time. */
export function moment(iso: string): string {
  return MOMENT.format(new Date(iso));
}

export function day(iso: string): string {
  return DAY.format(new Date(iso));
}

/** `40 seconds`, `5 minutes`, `2 hours`: the whole units that are waited for. */
export function duration(seconds: number): string {
  const [count, unit] =
    seconds < 100
      ? [seconds, "second"]
      : seconds < 100 * 60
        ? [seconds / 60, "minute"]
        : [seconds / 3600, "hour"];
  const style = { style: "unit", unitDisplay: "long" } as const;
  return new Intl.NumberFormat(language, { ...style, unit }).format(Math.ceil(count));
}

/** The network of a session or an event, with blanks that do not break; empty if it is unknown. */
export function toPlace(network: string | null): string {
  return network === null ? "" : say(texts.network, { network }).replaceAll(" ", "\u00a0");
}
