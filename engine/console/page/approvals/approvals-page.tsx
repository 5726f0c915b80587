import type { Approval } from "../../../client/client.ts";
import { ApprovalCard } from "../chat/approval-card.tsx";
import { titleOf } from "../chat/thread-header.tsx";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { Empty, Failure, isAbsent, Loading, Progress, useLoad } from "../ui/load.tsx";
import { waiting } from "../waiting.ts";
import { InWorkspace, workspaces } from "../workspaces.ts";
import { Grants } from "./grants.tsx";
import { Rules } from "./rules.tsx";

/** Approvals: all tool calls that wait for an answer, and which kinds of tools ask. */
export function ApprovalsPage() {
  return (
    <>
      <h1>Approvals</h1>
      <Loading of={waiting} label="Loading approvals" />
      {waiting.value?.length === 0 && (
        <Empty title="Nothing is waiting for you">
          <p>If a tool in any chat asks for approval, you can also answer here.</p>
        </Empty>
      )}
      {waiting.value?.map((approval) => (
        <Waiting key={approval.uuid} approval={approval} />
      ))}
      <Grants />
      <Rules />
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
  const workspace = workspaces.value?.find((it) => it.uuid === loaded.value?.thread.workspaceUuid);
  if (loaded.error) {
    return isAbsent(loaded.error) ? null : <Failure error={loaded.error} onRetry={loaded.reload} />;
  }
  if (!loaded.value || !workspace) return <Progress label="Loading approval" />;
  const { whole, thread } = loaded.value;
  return (
    <>
      <p class="muted">
        In <a href={hrefOf("chat", workspace.uuid, threadUuid)}>{titleOf(thread)}</a>,{" "}
        {workspace.name}
      </p>
      <InWorkspace value={workspace}>
        <ApprovalCard approval={whole} />
      </InWorkspace>
    </>
  );
}
