import type { ApprovalGrant } from "../../../client/client.ts";
import { describeCall } from "../chat/tool-words.ts";
import { pathsOf } from "../folders/roots-config.ts";
import { hrefOf } from "../router.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { LastUsed } from "../ui/ago.tsx";
import { formatDay } from "../ui/format.ts";
import { Failure, useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";

/** What was allowed for longer than once in a workspace, with its end and its last use. */
export function Grants() {
  const workspace = useWorkspace();
  const { uuid } = workspace;
  const grants = useLoad(
    uuid,
    (signal) => engine.turns.listApprovalGrants({ workspaceUuid: uuid }, { signal }),
    /^(grant|turn)\./,
  );
  return (
    <section class="card" aria-labelledby="grants">
      <h2 id="grants">What you allowed</h2>
      {grants.error && <Failure error={grants.error} onRetry={grants.reload} />}
      {grants.value?.length === 0 && (
        <p class="muted">Nothing yet. This lists what you allow in a chat or a workspace.</p>
      )}
      <ul class="list divided">
        {grants.value?.map((grant) => (
          <Grant key={grant.uuid} grant={grant} />
        ))}
      </ul>
    </section>
  );
}

function Grant({ grant }: { grant: ApprovalGrant }) {
  const workspace = useWorkspace();
  const { uuid, toolName, pathPrefix, threadUuid, expiresAt, lastUsedAt } = grant;
  const revoke = useAction(() => engine.turns.deleteApprovalGrant(uuid));
  const place = pathPrefix === null ? "" : ` anywhere in ${pathPrefix}`;
  return (
    <li class="row spread">
      <span class="stacked wrap grow">
        <strong>
          {describeCall({ toolName }, pathsOf(workspace), "before")}
          {place}
        </strong>
        <span class="muted small">
          {threadUuid === null ? (
            `In all chats of ${workspace.name}`
          ) : (
            <a href={hrefOf("chat", workspace.uuid, threadUuid)}>In one chat</a>
          )}
          , <LastUsed at={lastUsedAt} />
          {expiresAt !== null && `, until ${formatDay(expiresAt)}`}
        </span>
      </span>
      <ActionButton action={revoke}>Revoke</ActionButton>
      {revoke.error && <Failure error={revoke.error} />}
    </li>
  );
}
