import { PASSWORD_CHARACTERS_MAX, PASSWORD_CHARACTERS_MIN } from "../../limits.ts";
import { once } from "../../once.ts";
import { findPasswordFault, type PasswordFault } from "../../passwords/rules.ts";
import { h } from "./dom.ts";
import { type Field, passwordField } from "./fields.ts";
import { say, texts } from "./words.ts";

const COMMON_PASSWORDS = "/page/common-passwords.txt";

/** A new password. Its hint follows the rule that the server has. */
export function newPasswordField(name = "password"): Field {
  const least = PASSWORD_CHARACTERS_MIN;
  const meter = h("span", { class: "meter", "aria-hidden": "true" }, h("span"));
  const words = h("span", { "aria-live": "polite" }, say(texts.ruleHint, { least }));
  const hint = h("p", { class: "hint" }, meter, words);
  const made = passwordField(texts.newPassword, { name, autocomplete: "new-password", hint });
  const { input } = made;
  const commonPasswords = once(loadCommonPasswords);
  const check = async () => {
    const password = input.value;
    const fault = await findPasswordFault(password, await commonPasswords());
    if (password !== input.value) return;
    const [step, text] = toHint(password, fault);
    hint.dataset.step = String(step);
    if (words.textContent !== text) words.textContent = text;
  };
  input.addEventListener("focus", () => void commonPasswords());
  input.addEventListener("input", () => void check());
  return {
    ...made,
    fault: async () => {
      if (input.value === "") return texts.needPassword;
      const fault = await findPasswordFault(input.value, await commonPasswords());
      return fault && toWords(input.value, fault);
    },
  };
}

/** How far the meter goes, from 0 to 4, and the words beside it. */
function toHint(password: string, fault: PasswordFault | undefined): [step: number, text: string] {
  if (password === "") return [0, say(texts.ruleHint, { least: PASSWORD_CHARACTERS_MIN })];
  if (fault === undefined) return [4, texts.ruleGood];
  const share = [...password].length / PASSWORD_CHARACTERS_MIN;
  return [share < 0.5 ? 1 : share < 1 ? 2 : 3, toWords(password, fault)];
}

function toWords(password: string, fault: PasswordFault): string {
  const missing = PASSWORD_CHARACTERS_MIN - [...password].length;
  switch (fault) {
    case "short":
      return say(texts.ruleShort, { least: PASSWORD_CHARACTERS_MIN, missing });
    case "long":
      return say(texts.ruleLong, { most: PASSWORD_CHARACTERS_MAX });
    case "malformed":
      return texts.ruleMalformed;
    case "blank_ends":
      return texts.ruleSpaces;
    case "common":
      return texts.ruleCommon;
  }
}

/** The hashes of the server's list. Without them, and without WebCrypto, the server alone compares. */
async function loadCommonPasswords(): Promise<string> {
  if (!isSecureContext) return "";
  const response = await fetch(COMMON_PASSWORDS).catch(() => undefined);
  return response?.ok ? response.text() : "";
}
