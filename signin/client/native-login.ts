/** How a program of this machine signs in. */
export interface NativeLoginOptions {
  /** A slug such as `google` or `github`. */
  provider: string;
  /** Opens the address in the user's browser; it contains no secret. */
  openBrowser(url: string): void;
  /** Gives up. */
  signal?: AbortSignal;
}
