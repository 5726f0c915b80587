// The numbers of the checks, those of `doctor` and those of a running engine.

import { MIB } from "../../shared/units.ts";

/** How long a server or the keychain may take to answer. */
export const CHECK_WAIT_MS = 1_000;
/** How long a model may take if an engine asks it. */
export const CHECK_MODEL_WAIT_MS = 10_000;
/** Models and roots that are looked at. */
export const CHECKED_MODELS_MAX = 50;
export const CHECKED_ROOTS_MAX = 100;
/** Where little is free on the disk. */
export const DISK_BYTES_LOW = 1024 * MIB;
export const DISK_BYTES_MIN = 50 * MIB;
/** How far this clock may be from that of the sign-in server. */
export const CLOCK_DRIFT_MS_MAX = 60_000;
/** All checks of a running engine together. */
export const RUNNING_CHECKS_MS_MAX = 1_800;
