import { readFailure } from "../../shared/client/failure.ts";

/** A call that failed: the server's answer, or that none came. */
export class SigninError extends Error {
  override name = "SigninError";
  /** The status of the response; 0 where none came. */
  readonly status: number;
  readonly details: string | undefined;

  constructor(
    message: string,
    { status, details, cause }: { status: number; details?: string | undefined; cause?: unknown },
  ) {
    super(message, { cause });
    this.status = status;
    this.details = details;
  }
}

/** The failure that a response carries. */
export async function toSigninError(response: Response): Promise<SigninError> {
  const { message, ...failure } = await readFailure(response, "The sign-in server");
  return new SigninError(message, failure);
}
