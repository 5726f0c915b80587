import { formatAgo, formatTime } from "./format.ts";

/** How long ago a moment was, with the exact time on hover. `at` is ISO 8601. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAgo(at, Date.now())}
    </time>
  );
}

/** When something was used last; null if it never was. */
export function LastUsed({ at }: { at: string | null }) {
  if (at === null) return <>not used yet</>;
  return (
    <>
      last used <Ago at={at} />
    </>
  );
}
