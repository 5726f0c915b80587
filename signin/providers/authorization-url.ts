import { calculatePKCECodeChallenge } from "oauth4webapi";
import type { AuthorizationInput } from "./provider.ts";

/** The address of the provider's page, with the parameters of both kinds of providers: PKCE and state always. */
export async function toAuthorizationUrl(
  client: { endpoint: string; clientId: string; redirectUri: string; scope: string },
  { state, codeVerifier }: AuthorizationInput,
): Promise<URL> {
  const url = new URL(client.endpoint);
  const parameters = {
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    response_type: "code",
    ...(client.scope === "" ? {} : { scope: client.scope }),
    state,
    code_challenge: await calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url;
}
