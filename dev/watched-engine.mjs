// The engine below Node's watcher, which a signal may end first.
import { stopWithParent } from "../shared/node/launch.mjs";

stopWithParent();
await import("../shared/node/quick-drizzle.mjs");
await import("../engine/main.ts");
