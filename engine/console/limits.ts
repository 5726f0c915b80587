import { KIB } from "../../shared/units.ts";

/** How long a link that opens the console is good. */
export const LINK_MS = 60_000;
/** Links that wait for a browser; one more voids the oldest. */
export const LINKS_MAX = 5;
/** The body of a request for a session: a link and its name. */
export const SESSION_BODY_BYTES_MAX = KIB;
