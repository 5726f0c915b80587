import { KIB } from "../../../../shared/units.ts";

// Numbers, sizes and times as a person reads them.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS = [
  [DAY_MS, "d"],
  [HOUR_MS, "h"],
  [MINUTE_MS, "min"],
  [SECOND_MS, "s"],
] as const;
const SIZES = ["bytes", "KiB", "MiB", "GiB", "TiB"] as const;
const WHOLE_FROM = 100;

/** `1,234,567`. */
export function formatNumber(value: number): string {
  return value.toLocaleString("en");
}

/** `512 bytes`, `1.5 KiB`, `240 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let size = 0;
  while (value >= KIB && size < SIZES.length - 1) {
    value /= KIB;
    size += 1;
  }
  const digits = size === 0 || value >= WHOLE_FROM ? 0 : 1;
  return `${value.toFixed(digits)} ${SIZES[size]}`;
}

/** How long something took or runs: `320 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`, `5 d 3 h`. */
export function formatDuration(ms: number): string {
  if (ms < SECOND_MS) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE_MS) return `${(ms / SECOND_MS).toFixed(ms < 10 * SECOND_MS ? 1 : 0)} s`;
  const at = UNITS.findIndex(([unitMs]) => ms >= unitMs);
  let left = ms;
  const parts = UNITS.slice(at, at + 2).map(([unitMs, name]) => {
    const count = Math.floor(left / unitMs);
    left %= unitMs;
    return count === 0 ? "" : `${count} ${name}`;
  });
  return parts.join(" ").trim();
}

/** How long ago a moment was: `now`, `5 min ago`, `3 h ago`, `2 d ago`, then its day. `at` is ISO 8601. */
export function formatAgo(at: string, now: number): string {
  const ms = now - Date.parse(at);
  if (ms < MINUTE_MS) return "now";
  if (ms >= 7 * DAY_MS) return formatDay(at);
  const [unitMs, name] = UNITS.find(([unitMs]) => ms >= unitMs) ?? UNITS[0];
  return `${Math.floor(ms / unitMs)} ${name} ago`;
}

/** The day of a moment: `3 Nov 2026`. `day` begins with `YYYY-MM-DD`. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, "2026-01-01".length)}T00:00:00Z`);
  return date.toLocaleDateString("en-GB", { dateStyle: "medium", timeZone: "UTC" });
}

/** Date and time of this machine. `at` is ISO 8601. */
export function formatTime(at: string): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
