// `npm run signin:edge`. Variables are those of dev/edge.ts.
import { requireNode, stopWithParent } from "../shared/node/launch.mjs";

requireNode("npm run signin:edge");
if (process.env.npm_lifecycle_event !== undefined) stopWithParent();
await import("../shared/node/quick-drizzle.mjs");
await import("./edge.ts");
