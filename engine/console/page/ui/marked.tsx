import { markWords } from "./mark-words.ts";

/** A text whose words of a query are marked. */
export function Marked({ text, query }: { text: string; query: string }) {
  const parts = markWords(text, query);
  return <>{parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))}</>;
}
