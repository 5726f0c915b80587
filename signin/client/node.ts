import { logInThroughBrowser } from "../../shared/node/native-login.ts";
import {
  clientOf,
  type NativeLogin,
  type SigninClient,
  type SigninClientOptions,
} from "./client.ts";
import { SigninError } from "./errors.ts";

// `roundhouse/signin-client` on Node: the client with `nativeLogin()`.
export type * from "./client.ts";
export { SigninError };

/** A client of the sign-in server at `baseUrl`. */
export function createSigninClient(options: SigninClientOptions): SigninClient {
  return clientOf(options, logInNatively);
}

/** @throws SigninError if the server or the user refuses; the signal's reason if it was aborted */
const logInNatively: NativeLogin = async (client, login) => {
  const { provider, openBrowser, signal = new AbortController().signal } = login;
  await logInThroughBrowser({
    async start(query) {
      const native = { native: "true", codeChallengeMethod: "S256", ...query } as const;
      const { url, state } = await client.login.start(provider, native, { signal });
      if (state === undefined) throw new SigninError("The server sent no state.", { status: 0 });
      return { url, state };
    },
    openBrowser,
    exchange: (code, codeVerifier) => client.native.exchangeCode({ code, codeVerifier }),
    refused: (message) => new SigninError(message, { status: 0 }),
    signal,
  });
  return client.account.getMe({ signal });
};
