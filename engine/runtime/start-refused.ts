/** The refusal of a start, and the codes of system errors, under the names that the engine uses. */
export { codeOf, StartRefused } from "../../shared/node/start-failure.ts";
