import { signal } from "@preact/signals";

/** False since a request got no response. */
export const isReachable = signal(true);

/** Whether the stream of changes has been open: what was read before it may miss some. */
export const hearsChanges = signal(false);

/** How often the engine responded again after an outage. */
export const reconnectCount = signal(0);
