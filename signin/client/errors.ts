import { type Failure, readFailure } from "../../shared/client/failure.ts";

/** A call that failed: the server's answer, or that none came. */
export class SigninError extends Error {
  override name = "SigninError";
  /** The status of the response; 0 where none came. */
  readonly status: number;
  readonly details: string | undefined;
  /** The stable name of the failure, such as `invalid_credentials`. */
  readonly code: string | undefined;
  /** After how many seconds the server takes the request again; undefined if that is no matter of time. */
  readonly retryAfterSec: number | undefined;
  /** How the account can be proven with `reauthenticateSession`, if the code is `reauthentication_required`. */
  readonly ways: readonly string[] | undefined;

  constructor(
    message: string,
    options: Pick<Failure, "status"> & Partial<Failure> & { cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.status = options.status;
    this.details = options.details;
    this.code = options.code;
    this.retryAfterSec = options.retryAfterSec;
    this.ways = options.ways;
  }
}

/** The failure that a response carries. */
export async function toSigninError(response: Response): Promise<SigninError> {
  const { message, ...failure } = await readFailure(response, "The sign-in server");
  return new SigninError(message, failure);
}
