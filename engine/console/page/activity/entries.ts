import type { SeenChange } from "../changes.ts";
import type { SentRequest } from "../connection.ts";
import type { SeenFrame } from "./frames.ts";

/** What happens, by its kind. */
export const KINDS = ["request", "change", "frame"] as const;

/** A kind of what happens. */
export type Kind = (typeof KINDS)[number];

/** A row of the list. */
export interface Entry {
  key: string;
  kind: Kind;
  /** Milliseconds since the epoch. */
  at: number;
  /** What happened, in a few words. */
  title: string;
  /** What is known of it, as JSON; made where it is shown or searched. */
  details: () => string;
  /** The request, where it is one. */
  request?: SentRequest;
}

interface Sources {
  requests: readonly SentRequest[];
  changes: readonly SeenChange[];
  frames: readonly SeenFrame[];
}

const DETAILS_CHARACTERS_MAX = 4000;

/** Everything that happened, the newest first. */
export function toEntries({ requests, changes, frames }: Sources): Entry[] {
  const entries: Omit<Entry, "key">[] = [
    ...requests.map(ofRequest),
    ...changes.map(({ at, change }) => ({
      kind: "change" as const,
      at,
      title: change.type === "other" ? change.event : change.type,
      details: () => toJson("data" in change ? change.data : {}),
    })),
    ...frames.map(({ at, turnUuid, event, data }) => ({
      kind: "frame" as const,
      at,
      title: event,
      details: () => toJson({ turnUuid, ...Object(data) }),
    })),
  ];
  return withKeys(entries).sort((one, other) => other.at - one.at);
}

/** A key stays that of its entry while others come and go, so that what is open stays open. */
function withKeys(entries: readonly Omit<Entry, "key">[]): Entry[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const moment = `${entry.kind} ${entry.at}`;
    const count = counts.get(moment) ?? 0;
    counts.set(moment, count + 1);
    return { ...entry, key: `${moment} ${count}` };
  });
}

/** The entries of these kinds that have a text, without case. */
export function filterEntries(
  entries: readonly Entry[],
  kinds: ReadonlySet<Kind>,
  text: string,
): Entry[] {
  const wanted = text.trim().toLowerCase();
  return entries.filter(
    ({ kind, title, details }) =>
      kinds.has(kind) && (wanted === "" || `${title}\n${details()}`.toLowerCase().includes(wanted)),
  );
}

function ofRequest(request: SentRequest): Omit<Entry, "key"> {
  const { at, method, path, body } = request;
  return { kind: "request", at, title: `${method} ${path}`, details: () => body ?? "", request };
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2).slice(0, DETAILS_CHARACTERS_MAX);
}
