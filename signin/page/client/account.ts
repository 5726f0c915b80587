import type { Act, Session } from "./api.ts";
import { button, byId, element, fieldsOf, shortTime } from "./dom.ts";

interface Me {
  email: string;
  display_name: string | null;
  connections: { provider: string; connected_at: string }[];
}

interface Provider {
  slug: string;
  kind: "oidc" | "oauth" | "api_key";
  connected: boolean;
  hint?: string;
  since?: string | undefined;
}

interface SessionInfo {
  id: string;
  kind: string;
  created_at: string;
  last_seen_at: string;
  current: boolean;
}

interface EventInfo {
  at: string;
  type: string;
  outcome: string;
}

const EVENTS_SHOWN_MAX = 20;

/** Fills the signed-in part of the page; returns the connected slugs. @throws Refusal */
export async function showAccount(session: Session, act: Act): Promise<string[]> {
  const [me, { providers }, { sessions }, { events }] = await Promise.all([
    session.call<Me>("GET", "/auth/me"),
    session.call<{ providers: Provider[] }>("GET", "/auth/providers"),
    session.call<{ sessions: SessionInfo[] }>("GET", "/auth/sessions"),
    session.call<{ events: EventInfo[] }>("GET", "/auth/events"),
  ]);
  byId("who", HTMLElement).textContent = me.display_name
    ? `${me.display_name}, ${me.email}`
    : me.email;
  byId("connections", HTMLElement).replaceChildren(
    ...providers.map((provider) => {
      const found = me.connections.find((connection) => connection.provider === provider.slug);
      return connectionRow(session, act, { ...provider, since: found?.connected_at });
    }),
  );
  byId("sessions", HTMLElement).replaceChildren(
    ...sessions.map((each) => sessionRow(session, act, each)),
  );
  byId("events", HTMLElement).replaceChildren(...events.slice(0, EVENTS_SHOWN_MAX).map(eventRow));
  return providers.flatMap(({ slug, connected }) => (connected ? slug : []));
}

function connectionRow(session: Session, act: Act, provider: Provider): HTMLElement {
  const { slug, connected, hint, kind, since } = provider;
  const row = element("li");
  const state = connected
    ? `connected${since === undefined ? "" : ` since ${shortTime(since)}`}${hint === undefined ? "" : `, key ${hint}`}`
    : "not connected";
  row.append(element("span", slug), element("span", state, "soft"));
  if (connected) {
    row.append(
      button("Disconnect", `Disconnect ${slug}`, () =>
        act(async () => {
          await session.call("DELETE", `/auth/${slug}/disconnect`);
          return `${slug} is disconnected.`;
        }),
      ),
    );
  } else if (kind === "api_key") {
    row.append(keyForm(session, act, slug));
  } else {
    row.append(button("Link", `Link ${slug}`, () => act(() => link(session, slug))));
  }
  return row;
}

async function link(session: Session, slug: string): Promise<string> {
  const { url } = await session.call<{ url: string }>("GET", `/auth/${slug}/login?mode=link`);
  location.assign(url);
  return `On the way to ${slug}.`;
}

function keyForm(session: Session, act: Act, slug: string): HTMLElement {
  const form = element("form");
  const label = element("label", `API key for ${slug}`);
  const input = element("input");
  Object.assign(input, { name: "api_key", type: "password", autocomplete: "off", required: true });
  label.append(input);
  form.append(label, element("button", `Connect ${slug}`));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void act(async () => {
      await session.call("POST", "/auth/apikey", { provider_slug: slug, ...fieldsOf(form) });
      return `${slug} is connected.`;
    });
  });
  return form;
}

function sessionRow(session: Session, act: Act, info: SessionInfo): HTMLElement {
  const row = element("li");
  const name = info.current ? `${info.kind}, this one` : info.kind;
  row.append(
    element("span", name),
    element(
      "span",
      `since ${shortTime(info.created_at)}, last seen ${shortTime(info.last_seen_at)}`,
      "soft",
    ),
  );
  if (!info.current) {
    const label = `End the ${info.kind} session of ${shortTime(info.created_at)}`;
    row.append(
      button("End", label, () =>
        act(async () => {
          await session.call("DELETE", `/auth/sessions/${encodeURIComponent(info.id)}`);
          return "The session is ended.";
        }),
      ),
    );
  }
  return row;
}

function eventRow({ at, type, outcome }: EventInfo): HTMLElement {
  const row = element("li");
  const text = outcome === "failure" ? `${type} (failed)` : type;
  row.append(element("span", text), element("span", shortTime(at), "soft"));
  return row;
}
