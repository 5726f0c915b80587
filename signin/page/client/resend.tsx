import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { SigninError } from "../../client/errors.ts";
import { CODE_RESEND_SEC } from "../../limits.ts";
import { toSentence } from "./failures.ts";
import { ProblemLine } from "./form.tsx";
import { duration, say, texts } from "./words.ts";

const inSeconds = (seconds: number) => Date.now() + seconds * 1000;

/** A button that sends the code once more, as soon as the server takes it: after a minute, or after its `Retry-After`. */
export function Resend({ send }: { send(): Promise<unknown> }) {
  const problem = useSignal("");
  const [state, setState] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [readyAt, setReadyAt] = useState(() => inSeconds(CODE_RESEND_SEC));
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((readyAt - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1000);
    return () => clearTimeout(timer);
  }, [now, readyAt]);
  const press = async () => {
    setBusy(true);
    setState("");
    problem.value = "";
    let seconds = CODE_RESEND_SEC;
    try {
      await send();
      setState(texts.resent);
    } catch (error) {
      problem.value = toSentence(error);
      seconds = error instanceof SigninError ? (error.retryAfterSec ?? 0) : 0;
    }
    setNow(Date.now());
    setReadyAt(inSeconds(seconds));
    setBusy(false);
  };
  return (
    <div class="resend">
      <button type="button" class="link" disabled={isBusy || left > 0} onClick={() => void press()}>
        {left > 0 ? say(texts.resendIn, { time: duration(left) }) : texts.resend}
      </button>
      <span class="soft" role="status">
        {state}
      </span>
      <ProblemLine text={problem} />
    </div>
  );
}
