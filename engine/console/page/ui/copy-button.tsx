import { useEffect, useState } from "preact/hooks";
import { Button } from "./action.tsx";
import { announce } from "./announce.tsx";

const SHOWN_MS = 1500;

/** Puts a text on the clipboard and says so. It is asked for at the click. */
export function CopyButton({ text }: { text: () => string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => {
    const result = await navigator.clipboard.writeText(text()).then(
      () => "Copied",
      () => "Not copied",
    );
    announce(result);
    setSaid(result);
  };
  return (
    <Button class="quiet small" onClick={() => void copy()}>
      {said ?? "Copy"}
    </Button>
  );
}
