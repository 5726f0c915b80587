import type { Turn } from "../../../client/client.ts";
import { nameNewThread } from "../../../client/new-thread-title.ts";
import { onChange } from "../changes.ts";
import { baseName, pathsOf } from "../folders/roots-config.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { fallbackModel } from "../ui/fallback-model.tsx";
import { formatNumber } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { useLoad } from "../ui/load.tsx";
import { waiting } from "../waiting.ts";
import { useWorkspace } from "../workspaces.ts";
import { Composer } from "./composer.tsx";
import { ThreadRow } from "./conversations.tsx";

const RECENT_SHOWN = 4;
const NO_MODEL = "Use one on this machine, or a provider's with your API key.";
const NO_READ = "Answers cannot read any folders yet";
const NO_FOLDER =
  "Files are indexed on this machine. Only passages that are used for an answer go to the model.";

interface HomeProps {
  /** Called with the chat that the first message began. */
  onBegun: (threadUuid: string) => void;
}

/** A new chat: where its first message is written, what can be read, and what is open. */
export function Home({ onBegun }: HomeProps) {
  const workspace = useWorkspace();
  return (
    <div class="home stack">
      <h1>What would you like to know?</h1>
      <Composer
        draftKey={workspace.uuid}
        defaultModelId={workspace.defaultModelId}
        running={undefined}
        onSend={async (input) => {
          const turn = await engine.turns.startWorkspace(workspace.uuid, input);
          nameWhenAnswered(turn);
          onBegun(turn.threadUuid);
          location.hash = hrefOf("chat", workspace.uuid, turn.threadUuid);
        }}
      />
      <ReadableFolders />
      <Steps />
      <Recent />
    </div>
  );
}

function ReadableFolders() {
  const workspace = useWorkspace();
  const paths = pathsOf(workspace);
  if (paths.length === 0) return null;
  return (
    <p class="row muted small">
      Answers can read
      {paths.map((path, at) => (
        <a
          key={path}
          class="chip"
          href={hrefOf("folders", workspace.uuid, "files", String(at))}
          title={path}
        >
          <Icon name="folder" /> <bdi>{baseName(path)}</bdi>
        </a>
      ))}
    </p>
  );
}

/** What is missing for a first answer, and what waits for a person. */
function Steps() {
  const workspace = useWorkspace();
  const count = waiting.value?.length ?? 0;
  const tools = count === 1 ? "A tool is waiting" : `${formatNumber(count)} tools are waiting`;
  const toStep = (path: string, icon: IconName, action: string, title: string, about: string) => (
    <li class="row card">
      <Icon name={icon} />
      <span class="grow stacked">
        <strong>{title}</strong> <span class="muted">{about}</span>
      </span>
      <a class="button" href={hrefOf(path, workspace.uuid)}>
        {action}
      </a>
    </li>
  );
  return (
    <ul class="list">
      {count > 0 && toStep("approvals", "approvals", "Answer", `${tools} for your answer`, "")}
      {fallbackModel.value === null &&
        toStep("models", "models", "Connect a model", "No model is connected", NO_MODEL)}
      {pathsOf(workspace).length === 0 &&
        toStep("folders", "folder", "Add a folder", NO_READ, NO_FOLDER)}
    </ul>
  );
}

function Recent() {
  const workspace = useWorkspace();
  const { value } = useLoad(
    "recent",
    (signal) =>
      engine.threads.list(workspace.uuid, { limit: RECENT_SHOWN, versions: "newest" }, { signal }),
    /^thread\./,
  );
  if (!value || value.length === 0) return null;
  return (
    <section aria-labelledby="recent">
      <h2 id="recent">Recent chats</h2>
      <ul class="list">
        {value.map((thread) => (
          <ThreadRow key={thread.uuid} thread={thread} />
        ))}
      </ul>
    </section>
  );
}

/** Has a model name a chat that begins with this turn, once its first answer is there, on whichever page that is. */
function nameWhenAnswered({ uuid, threadUuid }: Turn): void {
  // Echo names nothing.
  if (fallbackModel.value === null) return;
  const answered = Promise.withResolvers<void>();
  const take = ({ state }: { state: string }) => state === "completed" && answered.resolve();
  const stop = onChange((change) => {
    if (change.type === "turn.updated" && change.data.threadUuid === threadUuid) take(change.data);
  });
  // It may have been answered before. If the engine is gone, a later answer names the chat.
  engine.turns.get(uuid).then(take, () => {});
  void answered.promise.then(stop).then(() => nameNewThread(engine, threadUuid));
}
