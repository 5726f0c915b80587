import type { Clock } from "../../shared/clock.ts";
import { equalsConstantTime } from "../../shared/constant-time.ts";
import { randomToken } from "../../shared/random.ts";
import { LINK_MS, LINKS_MAX } from "./limits.ts";

/** The links that open the console. Each is good once and for a minute; they are kept in memory alone. */
export class ConsoleLinks {
  readonly #clock: Clock;
  #open: { link: string; expiresAtMs: number }[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** One more link: 256 bits, base64url. */
  create() {
    const created = { link: randomToken(), expiresAtMs: this.#clock.now() + LINK_MS };
    this.#open = [...this.#good(), created].slice(-LINKS_MAX);
    return created;
  }

  /** Uses a link up. @returns whether it was good. */
  redeem(given: string): boolean {
    const good = this.#good();
    // Every link is compared, so that the time does not tell which one was close.
    const left = good.filter(({ link }) => !equalsConstantTime(given, link));
    this.#open = left;
    return left.length < good.length;
  }

  #good() {
    const now = this.#clock.now();
    return this.#open.filter(({ expiresAtMs }) => now < expiresAtMs);
  }
}
