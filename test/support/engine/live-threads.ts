import { TEST_TOKEN } from "./engine.ts";

/** The headers of an authenticated request. */
export const headers = { Authorization: `Bearer ${TEST_TOKEN}` };

/** Resolves after the events that are due. */
export const tick = () => new Promise(setImmediate);
