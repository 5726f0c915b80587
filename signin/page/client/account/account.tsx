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
  /** The section of the last change, by its id. */
  section?: string | undefined;
}

/** The account as the server has it now. After a change, what is typed in other forms stays. */
export function AccountView({ account, section }: AccountProps) {
  useLayoutEffect(focusHeading, []);
  // What had the focus may be gone.
  useLayoutEffect(() => {
    if (section === undefined || document.activeElement !== document.body) return;
    document.getElementById(`${section}-title`)?.focus();
  }, [account]);
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
