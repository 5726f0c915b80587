import { useEffect } from "preact/hooks";
import { engine } from "./session.ts";
import { Button } from "./ui/action.tsx";
import { CopyButton } from "./ui/copy-button.tsx";
import { Dialog } from "./ui/dialog.tsx";

const COMMAND = "npm run engine -- open";
const PROBE_WAIT_MS = 500;
const PROBE_WAIT_MAX_MS = 10_000;

/** The whole page, if there is no session. */
export function Closed({ reason }: { reason: string }) {
  return (
    <main class="entry">
      <img src="icon.svg" alt="" width="48" height="48" />
      <h1>Open the console again</h1>
      <p>{reason}</p>
      <HowToOpen />
    </main>
  );
}

/** Over the page, which keeps what it shows: its requests wait for a new session. */
export function Locked() {
  return (
    <Dialog title="The engine was restarted">
      <p>Starting the engine ends all sessions. Open the console again to continue here.</p>
      <HowToOpen />
    </Dialog>
  );
}

/** Any response ends the outage, and its failure is the one that is shown. */
const probe = () => engine.system.getHealth().catch(() => {});

/** Above the page, while the engine does not answer: asks again and again, ever more slowly. */
export function Unreachable() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (waitMs: number) => {
      timer = setTimeout(() => {
        void probe().then(() => ask(Math.min(waitMs * 2, PROBE_WAIT_MAX_MS)));
      }, waitMs);
    };
    ask(PROBE_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="banner row" role="alert">
      <span class="grow">The engine is not responding. This page continues when it is back.</span>
      <Button onClick={() => void probe()}>Try now</Button>
    </div>
  );
}

function HowToOpen() {
  return (
    <>
      <p>
        Press <kbd>o</kbd> in the engine's terminal, or run:
      </p>
      <p class="command">
        <code>{COMMAND}</code> <CopyButton text={() => COMMAND} />
      </p>
    </>
  );
}
