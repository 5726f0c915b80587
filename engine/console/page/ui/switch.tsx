import type { ComponentChildren } from "preact";
import { useAction } from "./action.tsx";
import { Failure } from "./load.tsx";

interface SwitchProps {
  isOn: boolean;
  /** Whether it cannot be turned. */
  isHeld?: boolean;
  /** What it switches, if that is more than what it shows. */
  label?: string;
  onTurn: () => Promise<unknown>;
  /** What stands beside it. */
  children: ComponentChildren;
}

/** A switch whose turn the engine must take; why it did not stands beside it. */
export function Switch({ isOn, isHeld = false, label, onTurn, children }: SwitchProps) {
  const turn = useAction(onTurn);
  return (
    <>
      <label class="switch">
        <input
          type="checkbox"
          role="switch"
          aria-label={label}
          checked={isOn}
          aria-checked={isOn}
          disabled={isHeld}
          onChange={turn.run}
        />{" "}
        {children}
      </label>
      {turn.error && <Failure error={turn.error} />}
    </>
  );
}
