import { useEffect, useMemo, useRef, useState } from "preact/hooks";
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

function Messages({ conversation }: { conversation: Conversation }) {
  const { messages, rows, live, isLoaded, error } = conversation;
  const { box, content, isAtEnd, toEnd } = useEndScroll(isLoaded.value);
  const last = messages.value.at(-1)?.uuid;
  useEffect(() => {
    if (isAtEnd.peek()) conversation.forgetOld();
  }, [last]);
  return (
    <div class="messages-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused place scrolls with the keys. */}
      <div class="messages" ref={box} tabIndex={0} role="log" aria-live="off" aria-label="Messages">
        <div class="messages-content" ref={content}>
          {isLoaded.value && <OlderMessages conversation={conversation} box={box} />}
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

const AHEAD = "800px 0px 0px 0px";

/** Reads the page before the oldest message when its place comes near. */
function OlderMessages({
  conversation,
  box,
}: {
  conversation: Conversation;
  box: { current: HTMLDivElement | null };
}) {
  const button = useRef<HTMLButtonElement>(null);
  const { hasOlder, messages } = conversation;
  const oldest = messages.value[0]?.uuid;
  const load = () => {
    // The browser keeps the place of a box that is scrolled; at its very top it does not.
    if (box.current?.scrollTop === 0) box.current.scrollTop = 1;
    void conversation.loadOlder();
  };
  useEffect(() => {
    if (!button.current || !box.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && load(),
      { root: box.current, rootMargin: AHEAD },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [oldest, hasOlder.value]);
  if (!hasOlder.value) return null;
  return (
    <Button class="quiet" ref={button} onClick={load}>
      Older messages
    </Button>
  );
}
