import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ActionButton, Button, useAction } from "./action.tsx";
import { LossButton } from "./ask.tsx";
import { Failure, Progress } from "./load.tsx";

interface TestedCardProps<Test> {
  name: string;
  /** Beside the name. */
  badge: ComponentChildren;
  /** `model` */
  noun: string;
  onTest: () => Promise<Test>;
  /** What a test found that it passed. */
  toFacts: (test: Test) => string;
  onDelete: () => Promise<unknown>;
  /** Says what is lost. */
  loss: string;
  /** The form that changes it. */
  form: (close: () => void) => ComponentChildren;
  children: ComponentChildren;
}

/** Something that answers or does not: what it is, a test of it, its form and its end. */
export function TestedCard<Test extends { ok: boolean; error: string | null }>(
  props: TestedCardProps<Test>,
) {
  const { name, badge, noun, onTest, toFacts, onDelete, loss, form, children } = props;
  const [isOpen, setOpen] = useState(false);
  const test = useAction(onTest);
  const tested = test.value;
  const failure = test.error ?? (tested?.ok === false && new Error(tested.error ?? ""));
  return (
    <article class="card" aria-label={name}>
      <div class="row spread">
        <h2 class="wrap">
          <bdi>{name}</bdi>
        </h2>
        {badge}
      </div>
      {children}
      {test.isBusy && <Progress label={`Testing the ${noun}`} />}
      {tested?.ok && (
        <p role="status" class="wrap">
          <span class="badge good">It works</span> {toFacts(tested)}
        </p>
      )}
      {failure && <Failure error={failure} />}
      <div class="row">
        <ActionButton action={test}>Test</ActionButton>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Change
        </Button>
        <LossButton verb="Delete" title={`Delete this ${noun}?`} text={loss} run={onDelete} />
      </div>
      {isOpen && form(() => setOpen(false))}
    </article>
  );
}
