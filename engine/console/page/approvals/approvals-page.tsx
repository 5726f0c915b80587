import type { Approval } from "../../../client/client.ts";
import { ApprovalCard } from "../chat/approval-card.tsx";
import { titleOf } from "../chat/thread-header.tsx";
import type { WorkspaceProps } from "../page.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { isAbsent } from "../ui/is-absent.ts";
import { Empty, Failure, Progress } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { waiting } from "../waiting.ts";
import { workspaces } from "../workspaces.ts";
import { Grants } from "./grants.tsx";
import { Rules } from "./rules.tsx";

/** Approvals: all tool calls that wait for an answer, and which kinds of tools ask. */
export function ApprovalsPage({ workspace }: WorkspaceProps) {
  const { value, error } = waiting;
  return (
    <>
      <h1>Approvals</h1>
      {error.value && <Failure error={error.value} onRetry={() => void waiting.reload()} />}
      {!value.value && !error.value && <Progress label="Loading what waits" />}
      {value.value?.length === 0 && (
        <Empty title="Nothing waits for you">
          <p>When a tool of any chat must ask first, its question is here, too.</p>
        </Empty>
      )}
      {value.value?.map((approval) => (
        <Waiting key={approval.uuid} approval={approval} />
      ))}
      <Grants workspace={workspace} />
      <Rules workspace={workspace} />
    </>
  );
}

/** A question with the chat that it comes from. */
function Waiting({ approval }: { approval: Approval }) {
  const { uuid, threadUuid } = approval;
  const loaded = useLoad(uuid, async (signal) => ({
    // The list has the beginning of long arguments alone.
    whole: await engine.turns.getApproval(uuid, { signal }),
    thread: await engine.threads.get(threadUuid, { signal }),
  }));
  const workspace = workspaces.value.value?.find(
    (it) => it.uuid === loaded.value?.thread.workspaceUuid,
  );
  if (loaded.error) {
    return isAbsent(loaded.error) ? null : <Failure error={loaded.error} onRetry={loaded.reload} />;
  }
  if (!loaded.value || !workspace) return <Progress label="Loading the question" />;
  const { whole, thread } = loaded.value;
  return (
    <>
      <p class="muted">
        In <a href={hrefOf("chat", workspace.uuid, threadUuid)}>{titleOf(thread)}</a>,{" "}
        {workspace.name}
      </p>
      <ApprovalCard approval={whole} workspace={workspace} />
    </>
  );
}
