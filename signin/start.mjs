// `npm run signin`. Arguments and variables are those of signin/main.ts.
import { requireNode, stopWithParent } from "../shared/node/launch.mjs";

requireNode("npm run signin");
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
await import("../shared/node/quick-drizzle.mjs");
await import("./main.ts");
