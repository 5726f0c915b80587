import { engine } from "./session.ts";
import { share } from "./ui/load.tsx";

/** The tool calls of all chats that wait for an answer. */
export const waiting = share(() => engine.turns.listApprovals(), /^approval\./);
