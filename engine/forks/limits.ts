/** Forks of threads. */

import { KIB } from "../../shared/units.ts";

/** One commit of a copy. */
export const FORK_SLICE_ROWS = 200;
export const FORK_SLICE_BYTES = 256 * KIB;
/** Copies that are made at the same time; further ones wait. */
export const FORKS_AT_ONCE_MAX = 4;
