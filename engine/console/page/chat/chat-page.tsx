import { useState } from "preact/hooks";
import { route } from "../router.ts";
import { ConversationView } from "./conversation-view.tsx";
import { Home } from "./home.tsx";

/** Chat: `#/chat/<workspace>/<thread>`; without a thread a new one begins with the first message. */
export function ChatPage() {
  const [begun, setBegun] = useState<string>();
  const threadUuid = route.value[2];
  if (threadUuid === undefined) return <Home onBegun={setBegun} />;
  return (
    <ConversationView key={threadUuid} threadUuid={threadUuid} isBegun={threadUuid === begun} />
  );
}
