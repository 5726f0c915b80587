import { utf8 } from "../../shared/bytes.ts";
import type { EngineDeps } from "../deps.ts";
import { eventStreamResponse } from "../http/event-stream.ts";
import type { Citation } from "./citations.ts";
import { errorBody } from "./errors.ts";
import { DOOR_COMMENT_INTERVAL_MS } from "./limits.ts";

interface AnswerHead {
  id: string;
  /** In seconds. */
  created: number;
  model: string;
}

/** An answer that is complete. */
export interface AnswerEnd {
  text: string;
  annotations: readonly Citation[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** A chat completion, in OpenAI's form. */
export function wholeAnswer(
  head: AnswerHead,
  { text, annotations, usage }: AnswerEnd,
  headers: Record<string, string>,
): Response {
  const message = { role: "assistant", content: text, refusal: null, annotations };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
  return Response.json({ ...head, object: "chat.completion", choices, usage }, { headers });
}

interface StreamedAnswer {
  head: AnswerHead;
  /** Resolves with the end; each piece of the text is handed on before. */
  end(onText: (text: string) => void): Promise<AnswerEnd>;
  /** Whether the client asked for the chunk with the usage. */
  hasUsage: boolean;
}

/** The same as a stream, with comments while it is silent. An answer that fails has an error, and no `[DONE]`. */
export function streamedAnswer(
  { timers, log }: Pick<EngineDeps, "timers" | "log">,
  { head, end, hasUsage }: StreamedAnswer,
  headers: Record<string, string>,
): Response {
  let isOpen = true;
  let stopTimer = () => {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (text: string) => {
        if (!isOpen) return;
        controller.enqueue(utf8(text));
        stopTimer();
        stopTimer = timers.after(DOOR_COMMENT_INTERVAL_MS, () => send(": the turn goes on\n\n"));
      };
      const sendData = (data: string) => send(`data: ${data}\n\n`);
      const sendChunk = (chunk: object) =>
        sendData(JSON.stringify({ ...head, object: "chat.completion.chunk", ...chunk }));
      const sendDelta = (delta: object, finish_reason: "stop" | null = null) =>
        sendChunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
      sendDelta({ role: "assistant", content: "" });
      // The stream is read meanwhile: what `start` returns is not awaited.
      void end((content) => sendDelta({ content }))
        .then(({ annotations, usage }) => {
          if (annotations.length > 0) sendDelta({ annotations });
          sendDelta({}, "stop");
          if (hasUsage) sendChunk({ choices: [], usage });
          sendData("[DONE]");
        })
        .catch((error: unknown) => sendData(errorBody(error, log)))
        .finally(() => {
          stopTimer();
          if (isOpen) controller.close();
          isOpen = false;
        });
    },
    cancel() {
      isOpen = false;
      stopTimer();
    },
  });
  return eventStreamResponse(stream, headers);
}
