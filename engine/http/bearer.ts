import { equalsConstantTime } from "../../shared/constant-time.ts";

const SCHEME = "Bearer ";

/** The check of the runtime token, in constant time (Engine §5). */
export class BearerCheck {
  /** For the console alone, which gives it to a page that has a link. */
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  /** Whether an `Authorization` header is exactly `Bearer <token>`. A repeated header arrives joined, so it is not. */
  acceptsHeader(authorization: string | null): boolean {
    if (authorization === null || !authorization.startsWith(SCHEME)) return false;
    return this.acceptsToken(authorization.slice(SCHEME.length));
  }

  acceptsToken(given: string): boolean {
    return equalsConstantTime(given, this.token);
  }
}
