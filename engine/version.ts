/** The version in `GET /health` and `runtime.json`; a test compares it to package.json. */
export const VERSION = "0.1.0";
