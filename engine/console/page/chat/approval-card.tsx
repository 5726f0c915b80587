import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Approval, DecideApproval, Workspace } from "../../../client/client.ts";
import { toVisible } from "../../../visible.ts";
import { pathsOf } from "../folders/roots-config.ts";
import { engine } from "../session.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { announce } from "../ui/announce.tsx";
import { Failure, Progress, useLoad } from "../ui/load.tsx";
import { useWorkspace } from "../workspaces.ts";
import { DiffView } from "./diff-view.tsx";
import { type FileChange, fileChangeOf, findPlace } from "./file-change.ts";
import { APPROVAL_SHOWN_MS } from "./limits.ts";
import { describeCall, subjectOf } from "./tool-words.ts";
import { ValueView } from "./value-view.tsx";

/** Asks whether a tool call may run, and shows exactly what would. */
export function ApprovalCard({ approval }: { approval: Approval }) {
  const workspace = useWorkspace();
  const { uuid, toolName, serverName, arguments: args, clientKey } = approval;
  const heading = useRef<HTMLHeadingElement>(null);
  const decision = useRef<DecideApproval>({});
  const deciding = useAction(() => engine.turns.decideApproval(uuid, decision.current));
  const change = fileChangeOf(toolName, args);
  const card = useRef<HTMLElement>(null);
  const isEarly = !useShown(card, uuid);
  const called = describeCall(approval, pathsOf(workspace), "before", serverName);
  const question = `${toVisible(`${called} ${subjectOf(approval)}`.trimEnd())}?`;
  useEffect(() => {
    announce(question);
    // The buttons are next; what is being typed keeps the focus.
    if (!isTyping()) heading.current?.focus();
  }, [uuid]);
  return (
    <section
      class="approval card"
      ref={card}
      // The second press of a double click is none: the first one may have answered another call.
      onClickCapture={(event) => event.detail > 1 && event.stopPropagation()}
      aria-labelledby={`approval-${uuid}`}
    >
      <h2 id={`approval-${uuid}`} class="wrap" ref={heading} tabIndex={-1}>
        {question}
      </h2>
      {clientKey && (
        <p class="muted">
          Asked by <bdi>{clientKey.name}</bdi>, a program with a key
        </p>
      )}
      {change && <Change {...change} />}
      <details open={!change}>
        <summary>The exact call</summary>
        <p>
          <code>{toVisible(toolName)}</code>
        </p>
        <ValueView label="Arguments" value={change?.others ?? args} />
      </details>
      <div class="row">
        {answersOf(approval, workspace).map(([text, answer], at) => (
          <ActionButton
            key={text}
            action={{
              ...deciding,
              run: () => {
                decision.current = answer;
                deciding.run();
              },
            }}
            isEarly={isEarly}
            class={at === 0 ? "primary" : ""}
          >
            {text}
          </ActionButton>
        ))}
      </div>
      {deciding.error && <Failure error={deciding.error} />}
    </section>
  );
}

/** What a person can answer. A deletion, and a tool of the whole machine, is remembered for a folder alone. */
function answersOf(
  { operation, arguments: args }: Approval,
  workspace: Workspace,
): readonly (readonly [text: string, answer: DecideApproval])[] {
  const isOfMachine = typeof args.path === "string" && args.root_index === undefined;
  const match = operation === "delete" || isOfMachine ? "path" : "tool";
  const where = match === "path" ? " anywhere in this folder" : "";
  return [
    ["Allow once", { decision: "approve" }],
    [`Allow in this chat${where}`, { decision: "approve", remember: { scope: "thread", match } }],
    [
      `Allow in ${workspace.name}${where}`,
      { decision: "approve", remember: { scope: "workspace", match } },
    ],
    ["Don't allow", { decision: "deny" }],
  ];
}

/** Whether the element was on the screen for long enough since it has this key. */
function useShown(element: RefObject<HTMLElement | null>, key: string): boolean {
  const [shown, setShown] = useState("");
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer);
      if (!entries.at(-1)?.isIntersecting) return;
      timer = setTimeout(() => setShown(key), APPROVAL_SHOWN_MS);
    });
    if (element.current) observer.observe(element.current);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [key]);
  return shown === key;
}

/** A change of a text; a whole file as it is now, compared with what it would be. */
function Change({ place: written, before, after }: FileChange) {
  const workspace = useWorkspace();
  const place = before === undefined ? findPlace(written, pathsOf(workspace)) : undefined;
  const file = useLoad(JSON.stringify([workspace.uuid, place]), async (signal) =>
    place ? engine.files.get(workspace.uuid, place, { signal }) : undefined,
  );
  const known = before ?? file.value?.content;
  if (known !== undefined) return <DiffView before={known} after={after} />;
  if (place && !file.error) return <Progress label="Reading file" />;
  return (
    <>
      <p class="muted">
        Cannot compare with the current text
        {file.error ? `: ${file.error.message}` : ", because the file is outside this workspace."}
      </p>
      <DiffView before="" after={after} />
    </>
  );
}

function isTyping(): boolean {
  const { activeElement } = document;
  if (activeElement instanceof HTMLTextAreaElement) return activeElement.value !== "";
  return activeElement instanceof HTMLInputElement;
}
