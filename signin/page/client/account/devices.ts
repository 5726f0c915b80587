import type { Session } from "../../../sessions/wire.ts";
import type { App } from "../app.ts";
import { toDevice } from "../device.ts";
import { h, icon } from "../dom.ts";
import { problemLine } from "../form.ts";
import { ago, moment, say, texts, toPlace } from "../words.ts";
import { action, change, row, section } from "./row.ts";
import type { Account } from "./wire.ts";

/** Where the account is signed in: each session as a device, this one first. */
export function deviceSection(app: App, { sessions }: Account): HTMLElement {
  const sorted = sessions.toSorted((one, other) => Number(other.current) - Number(one.current));
  return section("devices", {
    title: texts.devices,
    lead: texts.devicesLead,
    rows: sorted.map((session) => deviceRow(app, session)),
    foot: sessions.length > 1 && endOthers(app),
  });
}

function deviceRow(app: App, session: Session): HTMLElement {
  const { id, kind, created_at, last_seen_at, network, user_agent, current } = session;
  const device = toDevice(user_agent, kind);
  const since = say(texts.signedInOn, { time: moment(created_at) });
  return row({
    mark: icon(device.icon),
    title: device.name,
    badge: current ? texts.thisDevice : undefined,
    notes: [
      current ? undefined : say(texts.lastSeen, { time: ago(last_seen_at) }),
      [since, toPlace(network)].filter(Boolean).join(" · "),
    ],
    actions: current
      ? []
      : [
          action(texts.endSession, {
            label: `${texts.endSession}: ${device.name}, ${since}`,
            run: () =>
              change(
                app,
                () => app.session.call("DELETE", `/auth/sessions/${encodeURIComponent(id)}`),
                texts.sessionEnded,
              ),
          }),
        ],
  });
}

function endOthers(app: App): HTMLElement {
  const end = () => app.session.call("POST", "/auth/logout", { scope: "others" });
  return h(
    "div",
    { class: "foot-row" },
    action(texts.endOthers, { run: () => change(app, end, texts.othersEnded) }),
    problemLine(),
  );
}
