import { createEmulator, type ServiceName } from "emulate";
import { freePort } from "../../support/fake-server.ts";

/** A service of the package `emulate` on a loopback port, with one client and its users. */
export interface EmulatedProvider extends AsyncDisposable {
  url: string;
  clientId: string;
  clientSecret: string;
  /** Plays the person: presses an account's button on the provider's page; the callback that the browser opens next. */
  choose(authorizationUrl: string | URL, account: string): Promise<URL>;
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

async function choose(authorizationUrl: string | URL, account: string): Promise<URL> {
  const page = await fetch(authorizationUrl, { redirect: "manual" });
  const html = await page.text();
  const form = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((text) => text.includes(account));
  if (!form) throw new Error(`The page (${page.status}) has no account ${account}: ${html}`);
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? "";
  const fields = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, unescapeHtml(value)],
  );
  const answer = await fetch(new URL(action, authorizationUrl), {
    method: "POST",
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
  const location = answer.headers.get("location");
  if (!location) throw new Error(`No callback: ${answer.status} ${await answer.text()}`);
  return new URL(location);
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
