import { useEffect, useMemo, useState } from "preact/hooks";
import { onChange } from "../changes.ts";
import { hrefOf, route } from "../router.ts";
import { Button } from "../ui/action.tsx";
import { EchoNote } from "../ui/fallback-model.tsx";
import { Empty, Failure, isAbsent, Progress } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.ts";
import { Home } from "./home.tsx";
import { LiveView } from "./live-view.tsx";
import { MessageView, OutcomeView } from "./message-view.tsx";
import { openSource, SourceFile } from "./sources.tsx";
import { ThreadHeader } from "./thread-header.tsx";
import { useEndScroll } from "./use-end-scroll.ts";

/** Chat: `#/chat/<workspace>/<thread>`; without a thread a new one begins with the first message. */
export function ChatPage() {
  const [begun, setBegun] = useState<string>();
  const threadUuid = route.value[2];
  if (threadUuid === undefined) return <Home onBegun={setBegun} />;
  return (
    <ConversationView key={threadUuid} threadUuid={threadUuid} isBegun={threadUuid === begun} />
  );
}

interface ConversationViewProps {
  threadUuid: string;
  /** Whether its first message was just written on this page. */
  isBegun: boolean;
}

/** A thread: its messages, the turn that runs, and where the next message is written. */
function ConversationView({ threadUuid, isBegun }: ConversationViewProps) {
  const workspace = useWorkspace();
  const conversation = useMemo(() => new Conversation(threadUuid), [threadUuid]);
  useEffect(() => {
    const stop = onChange((change) => conversation.take(change));
    void conversation.load();
    return () => {
      openSource.value = undefined;
      stop();
      conversation.leave();
    };
  }, [conversation]);
  const { thread, turns, live, error } = conversation;
  if (isAbsent(error.value)) {
    return (
      <>
        <h1>Chat not found</h1>
        <p>
          It may have been deleted. <a href={hrefOf("chat", workspace.uuid)}>Start a new chat</a>
        </p>
      </>
    );
  }
  const defaultModelId = thread.value?.defaultModelId || workspace.defaultModelId;
  return (
    <div class="conversation stacked" data-source={openSource.value ? "shown" : undefined}>
      <ThreadHeader thread={thread.value} />
      <Messages conversation={conversation} />
      {error.value && <Failure error={error.value} onRetry={() => void conversation.load()} />}
      {turns.value.some(({ endedAt, source }) => endedAt === null && source === "websocket") && (
        <p class="muted" role="status">
          Another program is using this chat. Its messages appear here once they are stored.
        </p>
      )}
      <Composer
        key={threadUuid}
        draftKey={threadUuid}
        defaultModelId={defaultModelId}
        onSend={(input) => conversation.send(input)}
        isFocused={isBegun}
        running={live.value}
        context={turns.value.find(({ details }) => details?.context)?.details?.context}
        onEditLast={() => {
          conversation.edited.value = conversation.messages.value.findLast(
            ({ role }) => role === "user",
          )?.uuid;
        }}
      />
      <SourceFile />
    </div>
  );
}

/** How near its place comes until the page before the oldest message is read. */
const AHEAD_PIXELS = 800;

function Messages({ conversation }: { conversation: Conversation }) {
  const { messages, rows, live, hasOlder, isLoaded, error } = conversation;
  const { box, content, isAtEnd, toEnd } = useEndScroll(isLoaded.value);
  const last = messages.value.at(-1)?.uuid;
  useEffect(() => {
    if (isAtEnd.peek()) conversation.forgetOld();
  }, [last]);
  const loadOlder = () => {
    // The browser keeps the place of a box that is scrolled; at its very top it does not.
    if (box.current?.scrollTop === 0) box.current.scrollTop = 1;
    void conversation.loadOlder();
  };
  return (
    <div class="messages-frame">
      <div
        class="messages"
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused place scrolls with the keys.
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label="Messages"
        onScroll={({ currentTarget }) => currentTarget.scrollTop < AHEAD_PIXELS && loadOlder()}
      >
        <div class="messages-content" ref={content}>
          {isLoaded.value && hasOlder.value && (
            <Button class="quiet" onClick={loadOlder}>
              Older messages
            </Button>
          )}
          {!isLoaded.value && !error.value && <Progress label="Loading messages" />}
          {isLoaded.value && rows.value.length === 0 && !live.value && (
            <Empty title="No messages yet">
              <p>Ask the first question below.</p>
            </Empty>
          )}
          {rows.value.map((row) => (
            <div key={row.key} class="entry-row">
              {row.kind === "message" ? (
                <MessageView conversation={conversation} message={row.message} turn={row.turn} />
              ) : (
                <OutcomeView
                  turn={row.turn}
                  onAskAgain={() =>
                    conversation.replace(row.question, { content: row.question.content })
                  }
                />
              )}
            </div>
          ))}
          {messages.value.at(-1)?.role === "assistant" && <EchoNote />}
          {live.value && (
            <LiveView key={live.value.turn.uuid} conversation={conversation} live={live.value} />
          )}
        </div>
      </div>
      {!isAtEnd.value && (
        <Button class="to-end" onClick={toEnd}>
          Newest ↓
        </Button>
      )}
    </div>
  );
}
