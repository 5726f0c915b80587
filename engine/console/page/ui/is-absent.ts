import { EngineError } from "../../../client/client.ts";

const ABSENT = 404;
/** An id of another form: nothing has it. */
const REFUSED = 400;

/** Whether the engine has nothing under the id that was asked for. */
export function isAbsent(error: unknown): boolean {
  return error instanceof EngineError && (error.status === ABSENT || error.status === REFUSED);
}
