import { z } from "zod";
import { fromUtf8 } from "../../shared/bytes.ts";
import { type SessionTokens, sendOnceMore } from "../../shared/client/session-keeper.ts";
import type { Clock } from "../../shared/clock.ts";
import { readBytes } from "../../shared/http/json-body.ts";
import { redactText } from "../../shared/log.ts";
import { withoutTrailing } from "../../shared/without-trailing.ts";
import { accountServerFailed } from "../errors.ts";
import {
  ACCOUNT_ANSWER_BYTES_MAX,
  ACCOUNT_ERROR_CHARACTERS_MAX,
  ACCOUNT_TIMEOUT_MS,
  ACCOUNT_TOKEN_CHARACTERS_MAX,
} from "../limits.ts";
import {
  type AccountLogin,
  AccountUser,
  type SignupCodeRequest,
  type SignupCompleteRequest,
  SignupNotice,
} from "./wire.ts";

export interface AccountTokens extends SessionTokens {
  refreshToken: string;
  /** The user of the tokens, if the response has one. */
  user: AccountUser | undefined;
}

// Only characters of a header value: a token with CR or LF is a malformed response.
const token = z
  .string()
  .max(ACCOUNT_TOKEN_CHARACTERS_MAX)
  .regex(/^[A-Za-z0-9._~+/-]+=*$/);

const User = AccountUser.extend({ id: z.string().min(1) });

const Tokens = z.object({
  access_token: token,
  token_type: z.string().regex(/^bearer$/i),
  expires_in: z.number().positive(),
  refresh_token: token,
  user: User.nullish(),
});

const NativeStart = z.object({ url: z.url({ protocol: /^https?$/ }), state: z.string().min(1) });
const ErrorAnswer = z.object({
  error: z.string().min(1),
  // Of these the engine tells its client: the same sign-in goes on with a second factor.
  code: z.enum(["second_factor_required", "second_factor_rejected"]).optional().catch(undefined),
});

interface AccountServerDeps {
  accountUrl: string;
  fetch: typeof fetch;
  clock: Clock;
}

interface Call<Schema extends z.ZodType> {
  path: string;
  bearer?: string;
  /** A POST has one. */
  body?: unknown;
  /** The schema of a 2xx response. */
  schema: Schema;
  /**
   * Whether a call is repeated once after a broken connection: a repeated refresh is safe (decision E-ACCT-6).
   */
  repeatable?: boolean;
}

export type AccountServerClient = ReturnType<typeof createAccountServerClient>;

/** The calls to the account server. Each may throw an EngineError `cloud` with its status, or 502. */
export function createAccountServerClient(deps: AccountServerDeps) {
  const tokens = async (call: Omit<Call<typeof Tokens>, "schema">): Promise<AccountTokens> => {
    const answer = await callServer(deps, { schema: Tokens, ...call });
    return {
      accessToken: answer.access_token,
      accessExpiresAt: deps.clock.now() + answer.expires_in * 1000,
      refreshToken: answer.refresh_token,
      user: answer.user ?? undefined,
    };
  };
  return {
    login: (body: AccountLogin) => tokens({ path: "/auth/login", body }),
    requestSignupCode: (body: SignupCodeRequest) =>
      callServer(deps, { path: "/auth/signup/code", body, schema: SignupNotice }),
    completeSignup: (body: SignupCompleteRequest) =>
      tokens({ path: "/auth/signup/complete", body }),
    refresh: (refreshToken: string) =>
      tokens({ path: "/auth/refresh", body: { refresh_token: refreshToken }, repeatable: true }),
    exchangeNativeCode: (code: string, codeVerifier: string) =>
      tokens({ path: "/auth/native/token", body: { code, code_verifier: codeVerifier } }),
    startNativeLogin: (provider: string, query: URLSearchParams) => {
      const path = `/auth/${encodeURIComponent(provider)}/login?${query}`;
      return callServer(deps, { path, schema: NativeStart });
    },
    getUser: (bearer: string) => callServer(deps, { path: "/auth/me", bearer, schema: User }),
    logout: (bearer: string) =>
      callServer(deps, { path: "/auth/logout", body: {}, bearer, schema: z.unknown() }),
  };
}

async function callServer<Schema extends z.ZodType>(
  deps: AccountServerDeps,
  call: Call<Schema>,
): Promise<z.output<Schema>> {
  const signal = AbortSignal.timeout(ACCOUNT_TIMEOUT_MS);
  const response = await send(deps, call, signal);
  const answer = await readAnswer(response, signal);
  if (!response.ok) throw refusal(response.status, answer);
  const parsed = call.schema.safeParse(answer);
  if (!parsed.success) throw malformed();
  return parsed.data;
}

async function send(
  deps: AccountServerDeps,
  call: Call<z.ZodType>,
  signal: AbortSignal,
): Promise<Response> {
  const url = withoutTrailing(deps.accountUrl, "/") + call.path;
  const init: RequestInit = {
    method: call.body === undefined ? "GET" : "POST",
    redirect: "manual",
    signal,
    headers: {
      Accept: "application/json",
      "User-Agent": "roundhouse-engine",
      ...(call.body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(call.bearer === undefined ? {} : { Authorization: `Bearer ${call.bearer}` }),
    },
    body: call.body === undefined ? undefined : JSON.stringify(call.body),
  };
  const isLost = () => call.repeatable === true && !signal.aborted;
  try {
    return await sendOnceMore(() => deps.fetch(url, init), isLost);
  } catch (error) {
    throw unreachable(error);
  }
}

/** The JSON of a response, or undefined. @throws EngineError 502 if it is too large or incomplete. */
async function readAnswer(response: Response, signal: AbortSignal): Promise<unknown> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await readBytes(response, ACCOUNT_ANSWER_BYTES_MAX);
  } catch (error) {
    throw unreachable(signal.aborted ? signal.reason : error);
  }
  if (!bytes) throw malformed();
  try {
    return JSON.parse(fromUtf8(bytes));
  } catch {
    return undefined;
  }
}

/** A refusal of the account server, with its status and message. */
function refusal(status: number, answer: unknown) {
  if (status < 400 || status > 599) return malformed();
  const parsed = ErrorAnswer.safeParse(answer);
  if (!parsed.success)
    return accountServerFailed(`The account server answered with status ${status}.`, { status });
  const { error, code: details } = parsed.data;
  const message = redactText(error).slice(0, ACCOUNT_ERROR_CHARACTERS_MAX);
  return accountServerFailed(message, { status, details });
}

function malformed() {
  return accountServerFailed("The account server sent an invalid response.");
}

function unreachable(cause: unknown) {
  const message = "The account server cannot be reached. Try again later.";
  return accountServerFailed(message, { status: 502, cause });
}
