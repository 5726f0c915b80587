export { codeOf, StartRefused } from "../../shared/node/start-failure.ts";
