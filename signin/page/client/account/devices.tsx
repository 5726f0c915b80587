import type { Session } from "../../../sessions/wire.ts";
import { toDevice } from "../device.ts";
import { change } from "../state.ts";
import { ago, moment, say, texts, toPlace } from "../words.ts";
import type { Account } from "./account-data.ts";
import { Action, Row, Section, WithProblem } from "./row.tsx";

/** Where the account is signed in: each session as a device, this one first. */
export function DeviceSection({ sessions }: Account) {
  const sorted = sessions.toSorted((one, other) => Number(other.current) - Number(one.current));
  const foot = sessions.length > 1 && <EndOthers />;
  return (
    <Section id="devices" title={texts.devices} lead={texts.devicesLead} foot={foot}>
      {sorted.map((session) => (
        <DeviceRow key={session.id} {...session} />
      ))}
    </Section>
  );
}

function DeviceRow({ id, kind, network, user_agent, current, ...times }: Session) {
  const device = toDevice(user_agent, kind);
  const since = say(texts.signedInOn, { time: moment(times.created_at) });
  const path = `/auth/sessions/${encodeURIComponent(id)}`;
  const end = {
    text: texts.endSession,
    of: `${device.name}, ${since}`,
    run: () => change(texts.sessionEnded, "DELETE", path),
  };
  return (
    <Row
      mark={device.icon}
      title={device.name}
      badge={current && texts.thisDevice}
      notes={[
        !current && say(texts.lastSeen, { time: ago(times.last_seen_at) }),
        [since, toPlace(network)].filter(Boolean).join(" · "),
      ]}
      buttons={[!current && end]}
    />
  );
}

function EndOthers() {
  const end = () => change(texts.othersEnded, "POST", "/auth/logout", { scope: "others" });
  return (
    <div class="foot-row">
      <WithProblem>
        <Action text={texts.endOthers} run={end} />
      </WithProblem>
    </div>
  );
}
