import { useEffect, useState } from "preact/hooks";
import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../limits.ts";
import { once } from "../../once.ts";
import { findPasswordFault, type PasswordFault } from "../../passwords/rules.ts";
import { type Field, passwordField } from "./fields.tsx";
import { say, texts } from "./words.ts";

const COMMON_PASSWORDS = "/page/common-passwords.txt";

const commonPasswords = once(loadCommonPasswords);

/** A new password. Its hint follows the rule that the server has. */
export function newPasswordField(name = "password"): Field {
  return {
    ...passwordField(texts.newPassword, { name, autocomplete: "new-password" }),
    onFocus: () => void commonPasswords(),
    Hint: PasswordHint,
    findFault: async (password) => {
      if (password === "") return texts.needPassword;
      const fault = await findPasswordFault(password, await commonPasswords());
      return fault && toWords(password, fault);
    },
  };
}

function PasswordHint({ id, text }: { id: string; text: string }) {
  const [[step, words], setHint] = useState(() => toHint("", undefined));
  useEffect(() => {
    let isOld = false;
    const check = async () => {
      const fault =
        text === "" ? undefined : await findPasswordFault(text, await commonPasswords());
      if (!isOld) setHint(toHint(text, fault));
    };
    void check();
    return () => {
      isOld = true;
    };
  }, [text]);
  return (
    <p id={id} class="hint" data-step={step}>
      <span class="meter" aria-hidden="true">
        <span />
      </span>
      <span aria-live="polite">{words}</span>
    </p>
  );
}

/** How far the meter goes, from 0 to 4, and the words beside it. */
function toHint(password: string, fault: PasswordFault | undefined): [step: number, text: string] {
  if (password === "") return [0, say(texts.ruleHint, { least: PASSWORD_CHARACTERS_MIN })];
  if (fault === undefined) return [4, texts.ruleGood];
  const share = [...password].length / PASSWORD_CHARACTERS_MIN;
  return [share < 0.5 ? 1 : share < 1 ? 2 : 3, toWords(password, fault)];
}

const RULES: Readonly<Record<PasswordFault, string>> = {
  short: texts.ruleShort,
  long: texts.ruleLong,
  malformed: texts.ruleMalformed,
  blank_ends: texts.ruleSpaces,
  common: texts.ruleCommon,
};

function toWords(password: string, fault: PasswordFault): string {
  const least = PASSWORD_CHARACTERS_MIN;
  const missing = least - [...password].length;
  return say(RULES[fault], { least, missing, most: PASSWORD_CHARACTERS_MAX });
}

/** The hashes of the server's list. Without them, and without WebCrypto, the server alone compares. */
async function loadCommonPasswords(): Promise<string> {
  if (!isSecureContext) return "";
  const response = await fetch(COMMON_PASSWORDS).catch(() => undefined);
  return response?.ok ? response.text() : "";
}
