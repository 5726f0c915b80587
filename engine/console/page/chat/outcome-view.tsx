import type { Turn } from "../../../client/client.ts";
import { ActionButton, useAction } from "../ui/action.tsx";
import { Failure } from "../ui/load.tsx";
import { TextView } from "./text-view.tsx";

const SENTENCES = {
  cancelled: "This answer was cancelled.",
  failed: "This answer failed.",
  interrupted: "The engine ended before this answer was complete.",
} as const;

interface OutcomeViewProps {
  turn: Turn;
  /** Sends the question once more. */
  onAskAgain: () => Promise<void>;
}

/** What became of a turn without an answer: how it ended, the text so far, and a way to ask again. */
export function OutcomeView({ turn, onAskAgain }: OutcomeViewProps) {
  const { state, error, partialText } = turn;
  const asking = useAction(onAskAgain);
  const sentence = state in SENTENCES ? SENTENCES[state as keyof typeof SENTENCES] : state;
  return (
    <section class={`outcome ${state}`} aria-label={sentence}>
      {partialText !== null && partialText !== "" && (
        <div class="partial">
          <TextView text={partialText} isMarkdown />
        </div>
      )}
      <p>
        <strong>{sentence}</strong> {error !== null && <span class="wrap">{error}</span>}
      </p>
      <ActionButton action={asking}>Ask again</ActionButton>
      {asking.error && <Failure error={asking.error} />}
    </section>
  );
}
