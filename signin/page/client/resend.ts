import { CODE_RESEND_SEC } from "../../limits.ts";
import { Refusal } from "./api.ts";
import { h } from "./dom.ts";
import { problemLine, toSentence } from "./form.ts";
import { duration, say, texts } from "./words.ts";

/** A button that sends the code once more, as soon as the server takes it: after a minute, or after its `Retry-After`. */
export function resendButton(send: () => Promise<unknown>): HTMLElement {
  const button = h("button", { type: "button", class: "link" });
  const state = h("span", { class: "soft", role: "status" });
  const problem = problemLine();
  let readyAt = 0;
  const tick = () => {
    const left = Math.ceil((readyAt - Date.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? say(texts.resendIn, { time: duration(left) }) : texts.resend;
    // The first tick comes before the button is in the page.
    if (left > 0) setTimeout(() => button.isConnected && tick(), 1000);
  };
  const wait = (seconds: number) => {
    readyAt = Date.now() + seconds * 1000;
    tick();
  };
  button.addEventListener("click", () => {
    problem.textContent = "";
    state.textContent = "";
    button.disabled = true;
    void send().then(
      () => {
        state.textContent = texts.resent;
        wait(CODE_RESEND_SEC);
      },
      (error: unknown) => {
        problem.textContent = toSentence(error);
        wait(error instanceof Refusal ? (error.retryAfterSec ?? 0) : 0);
      },
    );
  });
  wait(CODE_RESEND_SEC);
  return h("div", { class: "resend" }, button, state, problem);
}
