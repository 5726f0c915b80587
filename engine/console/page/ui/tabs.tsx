import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Button } from "./action.tsx";

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
  const at = tabs.findIndex(([name]) => name === current);
  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: -1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = (step + tabs.length) % tabs.length;
    onSelect(tabs[next]?.[0] ?? current);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(([name, title], place) => (
          <Button
            key={name}
            class="quiet"
            role="tab"
            id={`${id}-${place}`}
            aria-selected={name === current}
            aria-controls={`${id}-panel`}
            tabIndex={name === current ? 0 : -1}
            onClick={() => onSelect(name)}
          >
            {title}
          </Button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${at}`}>
        {children}
      </div>
    </>
  );
}
