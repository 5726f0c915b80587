import {
  type ChatDeps,
  type ChatInput,
  type ChatOptions,
  type FollowOptions,
  startChat,
} from "./chat.ts";
import { beginTurn, followTurn } from "./http-turn.ts";
import { runSocketTurn } from "./socket-turn.ts";

/** The turns of a client. */
export function chatOf(deps: ChatDeps) {
  return {
    chat: (input: ChatInput, options: ChatOptions = {}) =>
      startChat(async (emit) => {
        requireValid(input, options);
        if (options.transport === "websocket") return runSocketTurn(deps, input, options, emit);
        // Without a handler approvals are denied, rather than left to others.
        const onApproval = options.onApproval ?? (() => false);
        return followTurn(deps, () => beginTurn(deps, input), { ...options, onApproval }, emit);
      }),
    follow: (turnUuid: string, options: FollowOptions = {}) =>
      startChat((emit) => followTurn(deps, () => deps.operations.getTurn(turnUuid), options, emit)),
  };
}

function requireValid({ threadUuid, workspaceUuid }: ChatInput, options: ChatOptions): void {
  if ((threadUuid === undefined) === (workspaceUuid === undefined)) {
    throw new TypeError("chat: exactly one of threadUuid and workspaceUuid is needed.");
  }
  if (options.uiTools && options.transport !== "websocket") {
    throw new TypeError('chat: uiTools need transport: "websocket".');
  }
}
