import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Button } from "./action.tsx";
import { nextTab } from "./next-tab.ts";

interface TabsProps {
  label: string;
  /** Name and title of each, in order. */
  tabs: readonly (readonly [name: string, title: string])[];
  current: string;
  onSelect: (name: string) => void;
  /** The content of the current tab. */
  children?: ComponentChildren;
}

/** Tabs with the content of one of them; arrow keys, Home and End move between them. */
export function Tabs({ label, tabs, current, onSelect, children }: TabsProps) {
  const id = useId();
  const names = tabs.map(([name]) => name);
  const move = (event: KeyboardEvent) => {
    const next = nextTab(names, current, event.key);
    if (next === undefined) return;
    event.preventDefault();
    onSelect(next);
    document.getElementById(`${id}-${names.indexOf(next)}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([name, title], at) => (
          <Button
            key={name}
            role="tab"
            id={`${id}-${at}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </Button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${names.indexOf(current)}`}>
        {children}
      </div>
    </>
  );
}
