/** Forks of threads. */

import { KIB } from "../../shared/units.ts";

/** One commit of a copy: the number of rows adapts to the measured time, and their text is bounded. */
export const FORK_SLICE_ROWS = { ms: 8, min: 50, max: 1_000 };
export const FORK_SLICE_BYTES = 256 * KIB;
/** Copies that are made at the same time; further ones wait. */
export const FORKS_AT_ONCE_MAX = 4;
