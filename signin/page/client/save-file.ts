import { notice } from "./state.ts";
import { texts } from "./words.ts";

/** Downloads a text as a file, and says so. */
export function saveFile(download: string, text: string, type: string): void {
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  Object.assign(link, { href, download }).click();
  URL.revokeObjectURL(href);
  notice.value = texts.exported;
}
