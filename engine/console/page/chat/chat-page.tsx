import { useEffect, useState } from "preact/hooks";
import type { EngineClient, Workspace } from "../../../client/client.ts";
import type { PageProps } from "../page.ts";
import { hrefOf, route } from "../router.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { FirstWorkspace, useWorkspaces } from "../ui/workspaces.tsx";
import { Composer } from "./composer.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { ThreadsPanel } from "./threads-panel.tsx";
import { WorkspaceMenu } from "./workspace-menu.tsx";

/** Chat: `#/chat/<workspace>/<thread>`; without a thread a new one begins with the first message. */
export function ChatPage({ engine }: PageProps) {
  const { value: workspaces, error, reload } = useWorkspaces(engine);
  const [, workspaceUuid, threadUuid] = route.value;
  const workspace = workspaces?.find(({ uuid }) => uuid === workspaceUuid) ?? workspaces?.[0];
  if (!workspaces || !workspace) {
    return (
      <>
        <h1>Chat</h1>
        {error && <Failure error={error} onRetry={reload} />}
        {!error && !workspaces && <Progress label="Loading the workspaces" />}
        {workspaces && <FirstWorkspace engine={engine} onCreated={reload} />}
      </>
    );
  }
  const shown = workspace.uuid === workspaceUuid ? threadUuid : undefined;
  return <Chat engine={engine} workspaces={workspaces} workspace={workspace} threadUuid={shown} />;
}

interface ChatProps {
  engine: EngineClient;
  workspaces: readonly Workspace[];
  workspace: Workspace;
  threadUuid: string | undefined;
}

function Chat({ engine, workspaces, workspace, threadUuid }: ChatProps) {
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
        <WorkspaceMenu engine={engine} workspaces={workspaces} current={workspace} />
        <ThreadsPanel engine={engine} workspace={workspace} current={threadUuid} />
      </aside>
      {threadUuid === undefined ? (
        <NewThread key={workspace.uuid} engine={engine} workspace={workspace} onBegun={setBegun} />
      ) : (
        <ConversationView
          key={threadUuid}
          engine={engine}
          workspace={workspace}
          threadUuid={threadUuid}
          isBegun={threadUuid === begun}
        />
      )}
    </div>
  );
}

interface NewThreadProps {
  engine: EngineClient;
  workspace: Workspace;
  /** Called with the thread that the first message began. */
  onBegun: (threadUuid: string) => void;
}

function NewThread({ engine, workspace, onBegun }: NewThreadProps) {
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
        engine={engine}
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
