import { type Signal, signal, useSignal } from "@preact/signals";
import { type ComponentChildren, createContext, type VNode } from "preact";
import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks";
import { toSentence } from "../failures.ts";
import { Close, ProblemLine } from "../form.tsx";
import { Icon, type IconName } from "../icon.tsx";

const Problem = createContext<Signal<string>>(signal(""));

/** Children whose buttons share the line below them for what went wrong. */
export function WithProblem({ children }: { children: ComponentChildren }) {
  const problem = useSignal("");
  return (
    <Problem.Provider value={problem}>
      {children}
      <ProblemLine text={problem} />
    </Problem.Provider>
  );
}

interface SectionProps {
  id: string;
  title: string;
  lead: string;
  /** Below the rows. */
  foot?: ComponentChildren;
  children: ComponentChildren;
}

/** A section of the account: what it is about, and its rows in a card. */
export function Section({ id, title, lead, foot, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <div class="about">
        <h2 id={`${id}-title`} tabIndex={-1}>
          {title}
        </h2>
        <p class="soft">{lead}</p>
      </div>
      <div class="rows">
        <ul>{children}</ul>
        {foot}
      </div>
    </section>
  );
}

/** A button that does something, or opens a form below its row and closes it again. */
interface Button {
  text: string;
  /** The object of the button, for screen readers, or the whole name of the button. */
  of?: string;
  name?: string;
  class?: string | undefined;
  run?(): Promise<unknown>;
  form?: ComponentChildren;
}

interface RowProps {
  mark: IconName | VNode;
  title: string;
  /** Beside the title. */
  badge?: string | false;
  /** Below it, one line each. */
  notes?: readonly (string | undefined | false)[];
  buttons?: readonly (Button | false)[];
}

/** A row: a mark, words, what can be done. What a button opens, and what went wrong, stand below it. */
export function Row({ mark, title, badge, notes = [], buttons = [] }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  const [opened, setOpened] = useState<string>();
  const shown = buttons.filter((button) => button !== false);
  const close = () => {
    // The user may be in another row meanwhile.
    const focused = document.activeElement;
    if (focused === document.body || row.current?.contains(focused)) {
      row.current?.querySelector<HTMLElement>("[aria-expanded=true]")?.focus();
    }
    setOpened(undefined);
  };
  useLayoutEffect(() => row.current?.querySelector("input")?.focus(), [opened]);
  return (
    <li class="row" ref={row}>
      <WithProblem>
        <span class="row-mark">{typeof mark === "string" ? <Icon name={mark} /> : mark}</span>
        <div class="row-words">
          <span class="row-title">{title}</span>
          {badge && <span class="badge">{badge}</span>}
          {notes.map((note) => note && <span class="row-note">{note}</span>)}
        </div>
        {shown.length > 0 && (
          <div class="row-actions">
            {shown.map(({ form, ...button }) => {
              const isOpen = button.text === opened;
              const toggle = async () => (isOpen ? close() : setOpened(button.text));
              return (
                <Action
                  key={button.text}
                  run={toggle}
                  isOpen={form ? isOpen : undefined}
                  {...button}
                />
              );
            })}
          </div>
        )}
        <div class="row-below" key={opened}>
          <Close.Provider value={close}>
            {shown.find(({ text }) => text === opened)?.form}
          </Close.Provider>
        </div>
      </WithProblem>
    </li>
  );
}

interface ActionProps extends Omit<Button, "form"> {
  run(): Promise<unknown>;
  isOpen?: boolean | undefined;
}

/** A button that does something. What goes wrong is written below its row. */
export function Action({ text, of, name, class: look, run, isOpen }: ActionProps) {
  const problem = useContext(Problem);
  const [isBusy, setBusy] = useState(false);
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    problem.value = "";
    await run().catch((error: unknown) => {
      problem.value = toSentence(error);
    });
    setBusy(false);
  };
  return (
    <button
      type="button"
      class={look}
      aria-label={of === undefined ? name : `${text}: ${of}`}
      aria-busy={isBusy || undefined}
      aria-expanded={isOpen}
      onClick={() => void press()}
    >
      {text}
    </button>
  );
}
