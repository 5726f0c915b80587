import { join } from "node:path";
import { ROOT } from "../../house/sources.ts";

/** For a program that runs from its sources: it neither strips types nor compiles again. `npm test` has the same folder. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: join(ROOT, ".build/compile-cache") };
