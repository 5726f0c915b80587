import { bindOperations } from "../../shared/client/operation.ts";
import { SigninError } from "./errors.ts";
import { OPERATIONS } from "./operations.generated.ts";
import { type SigninClientOptions, SigninServer } from "./server.ts";
import type { SigninStorage } from "./storage.ts";
import type { Me, Namespaces, Operations } from "./wire.generated.ts";

export type * from "./wire.generated.ts";
// `roundhouse/signin-client`: the client of the sign-in server on nothing but the web platform. On Node it has `nativeLogin()`.
export { type SigninClientOptions, SigninError, type SigninStorage };

/**
 * The operations of the server. Those that sign in begin the session, which goes with every call and is refreshed when it has
 * to be: one refresh at a time over all tabs, and once more if the answer was lost.
 */
export interface SigninClient extends Namespaces {
  /** Every operation by its `operationId`. */
  operations: Operations;
  /** Whether there is a session. It refreshes one that is stored. @throws SigninError if the server does not answer */
  isSignedIn(): Promise<boolean>;
  /** An access token that does not expire soon, for other services; undefined without a session. */
  accessToken(): Promise<string | undefined>;
  /** Ends the session of this client without asking the server. */
  forget(): Promise<void>;
  /** Signs in through the browser of this machine. On Node alone. */
  nativeLogin(options: NativeLoginOptions): Promise<Me>;
}

/** How a program of this machine signs in. */
export interface NativeLoginOptions {
  /** A slug such as `google` or `github`. */
  provider: string;
  /** Opens the address in the user's browser; it contains no secret. */
  openBrowser(url: string): void;
  /** Gives up. */
  signal?: AbortSignal;
}

/** Signs a client in through the browser. */
export type NativeLogin = (client: SigninClient, options: NativeLoginOptions) => Promise<Me>;

/** A client of the sign-in server at `baseUrl`. */
export function createSigninClient(options: SigninClientOptions): SigninClient {
  return clientOf(options, () => {
    throw new SigninError("nativeLogin() needs Node.", { status: 0 });
  });
}

/** A client with a way to sign in natively. */
export function clientOf(options: SigninClientOptions, nativeLogin: NativeLogin): SigninClient {
  const server = new SigninServer(options);
  const client = {
    ...bindOperations(OPERATIONS, (operation, args) => server.call(operation, args)),
    isSignedIn: async () => (await server.accessToken()) !== undefined,
    accessToken: () => server.accessToken(),
    forget: () => server.forget(),
    nativeLogin: async (login: NativeLoginOptions) => nativeLogin(client, login),
    // The generator writes the types of the methods from the same rows.
  } as unknown as SigninClient;
  return client;
}
