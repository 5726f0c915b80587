import { createEmulator, type ServiceName } from "emulate";
import { freePort } from "../../support/fake-server.ts";

/** A service of the package `emulate` on a loopback port, with one client and its users. */
export interface EmulatedProvider extends AsyncDisposable {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Plays the person: presses an account's button on the provider's page; the callback that the browser opens or posts next. */
  choose(authorizationUrl: string | URL, account: string): Promise<Callback>;
}

/** `form` where the provider posts it. */
interface Callback {
  url: URL;
  form?: URLSearchParams;
}

/** How the package's services call the lists of their clients. */
const CLIENT_LISTS: Partial<Record<ServiceName, string>> = { github: "oauth_apps" };

export async function startEmulatedProvider(
  service: ServiceName,
  { users, redirectUris }: { users: Record<string, unknown>[]; redirectUris: string[] },
): Promise<EmulatedProvider> {
  const port = await freePort();
  const clientId = `${service}.client`;
  const clientSecret = `${service}-secret-0123456789abcdef`;
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    name: "Sign-in",
    redirect_uris: redirectUris,
    team_id: "TEAM001",
  };
  const emulator = await createEmulator({
    service,
    port,
    baseUrl: `http://127.0.0.1:${port}`,
    seed: { [service]: { users: users, [CLIENT_LISTS[service] ?? "oauth_clients"]: [client] } },
  });
  return {
    url: emulator.url,
    clientId,
    clientSecret,
    choose,
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}

async function choose(authorizationUrl: string | URL, account: string): Promise<Callback> {
  const page = await fetch(authorizationUrl, { redirect: "manual" });
  const html = await page.text();
  const form = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((text) => text.includes(account));
  if (!form) throw new Error(`The page (${page.status}) has no account ${account}: ${html}`);
  const { action, fields } = readForm(form);
  const answer = await fetch(new URL(action, authorizationUrl), {
    method: "POST",
    body: fields,
    redirect: "manual",
  });
  const location = answer.headers.get("location");
  if (location) return { url: new URL(location) };
  const posted = await answer.text();
  if (!posted.includes("<form")) throw new Error(`No callback: ${answer.status} ${posted}`);
  const callback = readForm(posted);
  return { url: new URL(callback.action), form: callback.fields };
}

function readForm(html: string) {
  const action = unescapeHtml(/action="([^"]+)"/.exec(html)?.[1] ?? "");
  const fields = [...html.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, unescapeHtml(value)],
  );
  return { action, fields: new URLSearchParams(fields) };
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
