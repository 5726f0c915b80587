import { useLayoutEffect } from "preact/hooks";
import { focusHeading } from "../heading.tsx";
import { call, endSession } from "../session.ts";
import { leave, whileSignedIn } from "../state.ts";
import { texts } from "../words.ts";
import type { Account } from "./account-data.ts";
import { ActivitySection } from "./activity.tsx";
import { ApiKeySection } from "./api-keys.tsx";
import { DataSection } from "./data.tsx";
import { DeviceSection } from "./devices.tsx";
import { FactorSection } from "./factor.tsx";
import { ProfileSection } from "./profile.tsx";
import { Action, WithProblem } from "./row.tsx";
import { WaysSection } from "./ways.tsx";

interface AccountProps {
  account: Account;
  /** What had the focus when the account was shown last. */
  focused?: Element | null;
}

/** The account as the server has it now. */
export function AccountView({ account, focused }: AccountProps) {
  useLayoutEffect(() => (focused ? restoreFocus(focused) : focusHeading()), []);
  const logOut = async () => {
    await call("POST", "/auth/logout", { scope: "local" });
    await endSession();
    await leave(texts.signedOut);
  };
  return (
    <>
      <div class="head">
        <WithProblem>
          <h1 id="account-title" tabIndex={-1}>
            {texts.account}
          </h1>
          <Action text={texts.logOut} run={() => whileSignedIn(logOut)} />
        </WithProblem>
      </div>
      <ProfileSection {...account} />
      <WaysSection {...account} />
      <FactorSection {...account} />
      <ApiKeySection {...account} />
      <DeviceSection {...account} />
      <ActivitySection {...account} />
      <DataSection {...account} />
    </>
  );
}

/** The focus goes back to the same button, or to the heading of its section if the button is gone. */
function restoreFocus(old: Element): void {
  // It was outside of what was replaced.
  if (old.isConnected) return;
  const section = document.getElementById(old.closest("section")?.id ?? "account-title");
  const buttons = [...(section?.querySelectorAll("button") ?? [])];
  const same = buttons.find((button) => nameOf(button) === nameOf(old));
  (same ?? section?.querySelector("h2") ?? section)?.focus();
}

function nameOf(button: Element): string | null {
  return button.getAttribute("aria-label") ?? button.textContent;
}
