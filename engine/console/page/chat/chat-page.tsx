import { useState } from "preact/hooks";
import type { WorkspaceProps } from "../page.ts";
import { route } from "../router.ts";
import { ConversationView } from "./conversation-view.tsx";
import { Home } from "./home.tsx";

/** Chat: `#/chat/<workspace>/<thread>`; without a thread a new one begins with the first message. */
export function ChatPage({ workspace }: WorkspaceProps) {
  const [begun, setBegun] = useState<string>();
  const threadUuid = route.value[2];
  if (threadUuid === undefined) return <Home workspace={workspace} onBegun={setBegun} />;
  return (
    <ConversationView
      key={threadUuid}
      workspace={workspace}
      threadUuid={threadUuid}
      isBegun={threadUuid === begun}
    />
  );
}
