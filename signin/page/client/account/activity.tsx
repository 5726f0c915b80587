import type { SigninEvent } from "../../../audit/wire.ts";
import { toDevice } from "../device.ts";
import { ago, moment, say, texts, toPlace } from "../words.ts";
import { providerName } from "../written.ts";
import type { Account } from "./account-data.ts";
import { Section } from "./row.tsx";

const EVENTS_SHOWN_MAX = 20;

/** What happened to the account, in words. Events that say nothing to a person are left out. */
export function ActivitySection({ events }: Account) {
  const known = events.filter(({ type }) => Object.hasOwn(texts.events, type));
  return (
    <Section id="activity" title={texts.activity} lead={texts.activityLead}>
      {known.slice(0, EVENTS_SHOWN_MAX).map((event) => (
        <Event key={event} {...event} />
      ))}
      {known.length === 0 && <li class="row">{texts.noActivity}</li>}
    </Section>
  );
}

function Event(event: SigninEvent) {
  const { at, outcome, network, user_agent } = event;
  const device = user_agent === null ? "" : toDevice(user_agent).name;
  return (
    <li class={outcome === "failure" ? "event failure" : "event"}>
      <span class="row-title">{toWords(event)}</span>
      <time dateTime={at} title={moment(at)}>
        {ago(at)}
      </time>
      <span class="row-note">{[device, toPlace(network)].filter(Boolean).join(" · ")}</span>
    </li>
  );
}

// Their words say that something failed.
const FAILURES = [
  "login.failure",
  "identity.rejected",
  "passkey.counter",
  "second_factor.rejected",
  "session.reuse_detected",
];

function toWords({ type, outcome, detail }: SigninEvent): string {
  const known: Readonly<Record<string, string>> = texts.events;
  const provider = providerName(String(detail.provider ?? ""));
  const methods: Readonly<Record<string, string>> = texts.methods;
  const method = detail.method === undefined ? provider : methods[String(detail.method)];
  const event = say(known[type] ?? type, { provider, method: method ?? String(detail.method) });
  const isRefusal = outcome === "failure" && !FAILURES.includes(type);
  return isRefusal ? say(texts.refused, { event }) : event;
}
