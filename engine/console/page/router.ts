import { computed, signal } from "@preact/signals";
import { decode } from "./decode.ts";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

/** The parts of the address behind `#/`, decoded: `#/chat/W/T` is `["chat", "W", "T"]`. A link has none. */
export const route = computed<readonly string[]>(() => {
  if (!hash.value.startsWith("#/")) return [];
  const parts = hash.value.slice(1).split("/");
  return parts.filter((part) => part !== "").map(decode);
});

/** The address of a place in the console. */
export function hrefOf(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join("/")}`;
}
