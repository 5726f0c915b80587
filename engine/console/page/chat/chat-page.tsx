import { useEffect, useState } from "preact/hooks";
import type { Workspace } from "../../../client/client.ts";
import { hrefOf, route } from "../router.ts";
import { engine } from "../session.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { FirstWorkspace, UnlistedWorkspace, useWorkspaces } from "../ui/workspaces.tsx";
import { Composer } from "./composer.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { ThreadsPanel } from "./threads-panel.tsx";
import { WorkspaceMenu } from "./workspace-menu.tsx";

/** Chat: `#/chat/<workspace>/<thread>`; without a thread a new one begins with the first message. */
export function ChatPage() {
  const { value: workspaces, error, reload } = useWorkspaces();
  const [, workspaceUuid, threadUuid] = route.value;
  const found = workspaces?.find(({ uuid }) => uuid === workspaceUuid);
  const workspace = workspaceUuid === undefined ? workspaces?.[0] : found;
  if (!workspaces || !workspace) {
    const [first] = workspaces ?? [];
    return (
      <>
        <h1>Chat</h1>
        {error && <Failure error={error} onRetry={reload} />}
        {!error && !workspaces && <Progress label="Loading the workspaces" />}
        {workspaces && !first && <FirstWorkspace onCreated={reload} />}
        {first && workspaceUuid && (
          <UnlistedWorkspace
            key={workspaceUuid}
            uuid={workspaceUuid}
            page={["chat"]}
            onFound={reload}
          />
        )}
      </>
    );
  }
  return <Chat workspaces={workspaces} workspace={workspace} threadUuid={threadUuid} />;
}

interface ChatProps {
  workspaces: readonly Workspace[];
  workspace: Workspace;
  threadUuid: string | undefined;
}

function Chat({ workspaces, workspace, threadUuid }: ChatProps) {
  const [showsThreads, setShowsThreads] = useState(false);
  const [begun, setBegun] = useState<string>();
  useEffect(() => setShowsThreads(false), [threadUuid, workspace.uuid]);
  return (
    <div class="chat" data-threads={showsThreads ? "shown" : undefined}>
      <button
        type="button"
        class="threads-switch"
        aria-expanded={showsThreads}
        onClick={() => setShowsThreads(!showsThreads)}
      >
        {showsThreads ? "Back to the conversation" : "Threads"}
      </button>
      <aside class="side" aria-label="Workspace and threads">
        <WorkspaceMenu workspaces={workspaces} current={workspace} />
        <ThreadsPanel workspace={workspace} current={threadUuid} />
      </aside>
      {threadUuid === undefined ? (
        <NewThread key={workspace.uuid} workspace={workspace} onBegun={setBegun} />
      ) : (
        <ConversationView
          key={threadUuid}
          workspace={workspace}
          threadUuid={threadUuid}
          isBegun={threadUuid === begun}
        />
      )}
    </div>
  );
}

interface NewThreadProps {
  workspace: Workspace;
  /** Called with the thread that the first message began. */
  onBegun: (threadUuid: string) => void;
}

function NewThread({ workspace, onBegun }: NewThreadProps) {
  return (
    <div class="conversation">
      <header class="thread-header">
        <h1>New thread</h1>
      </header>
      <div class="messages-frame">
        <Empty title={`Ask something in “${workspace.name}”`}>
          <p>The answer streams in here. Tools ask before they do what you did not allow.</p>
        </Empty>
      </div>
      <Composer
        defaultModelId={workspace.defaultModelId}
        running={undefined}
        onSend={async (input) => {
          const turn = await engine.turns.startWorkspace(workspace.uuid, input);
          onBegun(turn.threadUuid);
          location.hash = hrefOf("chat", workspace.uuid, turn.threadUuid);
        }}
      />
    </div>
  );
}
