import { useEffect, useRef, useState } from "preact/hooks";
import { ActionButton } from "../ui/action-button.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { useAction } from "../ui/use-action.ts";
import { type ApiValues, faultOf, toApiRequest } from "./api-request.ts";
import type { ApiOperation } from "./document.ts";
import { ResponseView } from "./response-view.tsx";
import { type ApiAnswer, sendRequest } from "./send.ts";

/** Sends the request of the form. What can change something asks first. */
export function TryIt({ operation, values }: { operation: ApiOperation; values: ApiValues }) {
  const [answer, setAnswer] = useState<ApiAnswer>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const fault = faultOf(operation, values);
  const sending = useAction(async () => {
    const stop = new AbortController();
    running.current = stop;
    setAnswer(undefined);
    try {
      await sendRequest(toApiRequest(operation, values), stop.signal, setAnswer);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  });
  const { isBusy, error } = sending;
  return (
    <div class="stack">
      <div class="row">
        {operation.method === "GET" ? (
          <ActionButton action={sending} isOff={fault !== undefined} class="primary">
            Send
          </ActionButton>
        ) : (
          <ConfirmButton
            label="Send"
            question={`Send ${operation.method} to this engine?`}
            keep="Do not send"
            isOff={fault !== undefined}
            action={sending}
          />
        )}
        {isBusy && (
          <button type="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        )}
        {fault && <span class="muted small">{fault}</span>}
      </div>
      {isBusy && <Progress label="Waiting for the response" />}
      {error && <Failure error={error} />}
      {answer && <ResponseView answer={answer} />}
    </div>
  );
}
