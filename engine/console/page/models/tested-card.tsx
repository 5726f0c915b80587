import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionButton } from "../ui/action-button.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";

interface TestedCardProps<Test> {
  name: string;
  heading: "h2" | "h3";
  badge: ComponentChildren;
  /** `model` */
  noun: string;
  onTest: () => Promise<Test>;
  /** What a test found that it passed. */
  toFacts: (test: Test) => ComponentChildren;
  onDelete: () => Promise<unknown>;
  /** Says what is lost. */
  question: string;
  /** What its buttons open, by their names. */
  forms: Readonly<Record<string, (close: () => void) => ComponentChildren>>;
  children: ComponentChildren;
}

/** Something that answers or does not: what it is, a test of it, its forms and its end. */
export function TestedCard<Test extends { ok: boolean; error: string | null }>({
  name,
  heading: Heading,
  badge,
  noun,
  onTest,
  toFacts,
  onDelete,
  question,
  forms,
  children,
}: TestedCardProps<Test>) {
  const [open, setOpen] = useState<string>();
  const [tested, setTested] = useState<Test>();
  const test = useAction(async () => {
    setTested(undefined);
    setTested(await onTest());
  });
  const remove = useAction(onDelete);
  const failure =
    test.error ?? remove.error ?? (tested?.ok === false && new Error(tested.error ?? ""));
  return (
    <article class="card" aria-label={name}>
      <div class="row spread heading">
        <Heading class="wrap">
          <bdi>{name}</bdi>
        </Heading>
        {badge}
      </div>
      {children}
      {test.isBusy && <Progress label={`Testing the ${noun}`} />}
      {tested?.ok && (
        <p role="status" class="wrap">
          <span class="badge good">answers</span> {toFacts(tested)}
        </p>
      )}
      {failure && <Failure error={failure} />}
      <div class="row">
        <ActionButton action={test}>Test</ActionButton>
        {Object.keys(forms).map((title) => (
          <button
            key={title}
            type="button"
            aria-expanded={open === title}
            onClick={() => setOpen(title)}
          >
            {title}
          </button>
        ))}
        <ConfirmButton label="Delete" question={question} action={remove} />
      </div>
      {open !== undefined && forms[open]?.(() => setOpen(undefined))}
    </article>
  );
}
