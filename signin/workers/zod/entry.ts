import * as z from "./names.ts";

export * from "./names.ts";
export { z };
