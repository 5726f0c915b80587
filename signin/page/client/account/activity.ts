import type { SigninEvent } from "../../../audit/wire.ts";
import { toDevice } from "../device.ts";
import { h } from "../dom.ts";
import { providerName } from "../providers.ts";
import { ago, moment, say, texts, toPlace } from "../words.ts";
import { section } from "./row.ts";
import type { Account } from "./wire.ts";

const EVENTS_SHOWN_MAX = 20;

/** What happened to the account, in words. Events that say nothing to a person are left out. */
export function activitySection({ events }: Account): HTMLElement {
  const rows = events.flatMap((event) => {
    const words = toWords(event);
    return words === undefined ? [] : eventRow(event, words);
  });
  return section("activity", {
    title: texts.activity,
    lead: texts.activityLead,
    rows:
      rows.length > 0
        ? rows.slice(0, EVENTS_SHOWN_MAX)
        : [h("li", { class: "row" }, texts.noActivity)],
  });
}

function eventRow({ at, outcome, network, user_agent }: SigninEvent, words: string): HTMLElement {
  const device = user_agent === null ? "" : toDevice(user_agent).name;
  return h(
    "li",
    { class: outcome === "failure" ? "event failure" : "event" },
    h("span", { class: "row-title" }, words),
    h("time", { datetime: at, title: moment(at) }, ago(at)),
    h("span", { class: "row-note" }, [device, toPlace(network)].filter(Boolean).join(" · ")),
  );
}

// Their words say that something failed.
const FAILURES = [
  "login.failure",
  "identity.rejected",
  "passkey.counter",
  "session.reuse_detected",
];

function toWords({ type, outcome, detail }: SigninEvent): string | undefined {
  const known: Readonly<Record<string, string>> = texts.events;
  const text = known[type];
  if (text === undefined) return undefined;
  const provider = providerName(String(detail.provider ?? ""));
  const methods: Readonly<Record<string, string>> = texts.methods;
  const method = detail.method === undefined ? provider : methods[String(detail.method)];
  const event = say(text, { provider, method: method ?? String(detail.method) });
  const isRefusal = outcome === "failure" && !FAILURES.includes(type);
  return isRefusal ? say(texts.refused, { event }) : event;
}
