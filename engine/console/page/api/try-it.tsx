import { useEffect, useRef, useState } from "preact/hooks";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Failure, Progress } from "../ui/states.tsx";
import { type ApiValues, faultOf, toApiRequest } from "./api-request.ts";
import type { ApiOperation } from "./document.ts";
import { ResponseView } from "./response-view.tsx";
import { type ApiAnswer, sendRequest } from "./send.ts";

/** Sends the request of the form. What can change something asks first. */
export function TryIt({ operation, values }: { operation: ApiOperation; values: ApiValues }) {
  const [answer, setAnswer] = useState<ApiAnswer>();
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const fault = faultOf(operation, values);
  const send = async () => {
    const sending = new AbortController();
    running.current = sending;
    setAnswer(undefined);
    setError(undefined);
    setBusy(true);
    try {
      await sendRequest(toApiRequest(operation, values), sending.signal, setAnswer);
    } catch (failure) {
      if (!sending.signal.aborted && failure instanceof Error) setError(failure);
    }
    setBusy(false);
  };
  const disabled = fault !== undefined || isBusy;
  return (
    <div class="stack">
      <div class="row">
        {operation.method === "GET" ? (
          <button type="button" class="primary" disabled={disabled} onClick={() => void send()}>
            Send
          </button>
        ) : (
          <ConfirmButton
            label="Send"
            question={`Send ${operation.method} to this engine?`}
            keep="Do not send"
            disabled={disabled}
            onConfirm={() => void send()}
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
