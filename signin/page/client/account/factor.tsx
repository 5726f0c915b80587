import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RecoveryCodeList, TotpOptions } from "../../../second-factor/wire.ts";
import { factorField } from "../fields.tsx";
import { Close, Form } from "../form.tsx";
import { saveFile } from "../save-file.ts";
import { call } from "../session.ts";
import { change, changeBy, notice, whileSignedIn } from "../state.ts";
import { say, texts } from "../words.ts";
import type { Account } from "./account-data.ts";
import { Action, Row, Section, WithProblem } from "./row.tsx";

const PATH = "/auth/second-factor";

/** The second factor: setting it up with an app, switching it off, other recovery codes. */
export function FactorSection({ factor: { enabled, recovery_codes_left: left } }: Account) {
  const [options, setOptions] = useState<TotpOptions>();
  const [codes, setCodes] = useState<readonly string[]>();
  const begin = async () => setOptions(await call<TotpOptions>("POST", `${PATH}/totp/options`));
  const show = async (path: string, body?: object) => {
    const made = await call<RecoveryCodeList>("POST", PATH + path, body);
    setOptions(undefined);
    setCodes(made.recovery_codes);
  };
  const renew = (
    <Form
      lead={texts.recoveryNewLead}
      fields={[]}
      submit={texts.recoveryNew}
      run={() => whileSignedIn(() => show("/recovery-codes"))}
    />
  );
  const disable = (
    <Form
      lead={texts.factorDisableLead}
      fields={[]}
      submit={texts.factorDisable}
      look="filled danger-fill"
      run={() => change(texts.factorDisabled, "DELETE", `${PATH}/totp`)}
    />
  );
  const buttons = enabled
    ? [
        { text: texts.recoveryNew, form: renew },
        { text: texts.factorDisable, form: disable },
      ]
    : [{ text: texts.factorSetUp, run: () => whileSignedIn(begin) }];
  // One step at a time: what the row has opened is closed, and its buttons are gone.
  const isBusy = options !== undefined || codes !== undefined;
  const state = enabled ? say(texts.factorOn, { count: String(left) }) : texts.notSet;
  const foot = codes ? (
    <RecoveryCodes
      codes={codes}
      close={() => changeBy(texts.factorEnabled, async () => setCodes(undefined))}
    />
  ) : (
    options && (
      <SetUp
        {...options}
        close={() => setOptions(undefined)}
        run={({ code }) => whileSignedIn(() => show("/totp", { code }))}
      />
    )
  );
  return (
    <Section id="factor" title={texts.factor} lead={texts.factorNote} foot={foot}>
      <Row
        key={isBusy}
        mark="phone"
        title={texts.factorApp}
        notes={[codes ? texts.factorEnabled : state]}
        buttons={isBusy ? [] : buttons}
      />
    </Section>
  );
}

/** What a step shows below the row. Its field, or else its first button, takes the focus. */
function Step({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const found = place.current?.querySelector("input") ?? place.current?.querySelector("button");
    found?.focus();
  }, []);
  return (
    <div class="foot-row step" ref={place}>
      <WithProblem>{children}</WithProblem>
    </div>
  );
}

interface SetUpProps extends TotpOptions {
  close(): void;
  run(values: Record<string, string>): Promise<unknown>;
}

function SetUp({ secret, qr, close, run }: SetUpProps) {
  const field = { ...factorField(), name: "code", label: texts.factorCode };
  return (
    <Step>
      <p>{texts.factorScan}</p>
      <QrCode svg={qr} />
      <p>
        {texts.factorKey}: <code>{secret.replace(/(.{4})(?=.)/g, "$1 ")}</code>
      </p>
      <Close.Provider value={close}>
        <Form fields={[field]} submit={texts.factorEnable} run={run} />
      </Close.Provider>
    </Step>
  );
}

// The policy of the page takes neither markup nor an image of the server's text.
function QrCode({ svg }: { svg: string }) {
  const viewBox = / viewBox="([^"]+)"/.exec(svg)?.[1];
  const shape = / d="([^"]+)"/.exec(svg)?.[1];
  return (
    <svg class="qr" viewBox={viewBox} role="img" aria-label={texts.factorImage}>
      <path d={shape} />
    </svg>
  );
}

interface CodesProps {
  codes: readonly string[];
  close(): Promise<unknown>;
}

function RecoveryCodes({ codes, close }: CodesProps) {
  const text = `${codes.join("\n")}\n`;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    notice.value = texts.copied;
  };
  const download = async () => saveFile("recovery-codes.txt", text, "text/plain");
  return (
    <Step>
      <h3>{texts.recoveryCodes}</h3>
      <p>{texts.recoveryLead}</p>
      <ul class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        {"clipboard" in navigator && <Action text={texts.copy} run={copy} />}
        <Action text={texts.download} run={download} />
        <Action text={texts.recoveryStored} class="filled" run={close} />
      </div>
    </Step>
  );
}
