import { signal } from "@preact/signals";
import { parseJson } from "../../../../shared/json.ts";
import { PINS_MAX } from "./limits.ts";

const PINS_KEY = "roundhouse.pins";

/** The chats that this browser shows first, by their uuids. */
export const pins = signal<readonly string[]>(read());

/** Pins a chat, or takes its pin away. */
export function turnPin(uuid: string): void {
  const others = pins.value.filter((it) => it !== uuid);
  pins.value = others.length < pins.value.length ? others : [uuid, ...others].slice(0, PINS_MAX);
  localStorage.setItem(PINS_KEY, JSON.stringify(pins.value));
}

function read(): string[] {
  const kept = parseJson(localStorage.getItem(PINS_KEY) ?? "");
  return Array.isArray(kept) ? kept.map(String) : [];
}
